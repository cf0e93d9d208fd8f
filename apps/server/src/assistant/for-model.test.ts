import { FlowError } from '@croft/flow';
import { WorkspaceError } from '@croft/workspace';
import { expect, it } from 'vitest';
import { Problem } from '../problem.ts';
import { ForModel, forModel } from './for-model.ts';

it('gives refusals to the model, without what only the operator may read', async () => {
  const refusals = [
    new Problem(404, 'not_found', 'no'),
    new FlowError('invalid_edit', 'no'),
    new WorkspaceError('not_found', 'no', { operatorMessage: '/host/path' }),
  ];
  for (const refusal of refusals) {
    const error: unknown = await forModel(Promise.reject(refusal)).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ForModel);
    expect(error).toMatchObject({ message: 'no', forModel: true });
    expect((error as Error).cause).toBeUndefined();
  }
});

it('passes results and unexpected failures on', async () => {
  expect(await forModel(Promise.resolve(1))).toBe(1);
  const bug = new TypeError('x is not a function');
  await expect(forModel(Promise.reject(bug))).rejects.toBe(bug);
});
