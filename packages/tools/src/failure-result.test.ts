import { WorkspaceError } from '@croft/workspace';
import { describe, expect, it } from 'vitest';
import { cancelled, codeOf, toFailure } from './failure-result.ts';
import { type AnyTool, ToolError } from './tool.ts';

/** The failure of a call, and the number of reports to the operator. */
function failure(error: unknown, input: unknown = { path: 'a' }, tool?: Partial<AnyTool>) {
  const told: unknown[] = [];
  const data = toFailure(tool as AnyTool | undefined, error, input, (each) => told.push(each));
  return { data, told: told.length };
}

describe('the failure of a call', () => {
  it('says what happened, with the path as the caller wrote it', () => {
    const error = new WorkspaceError('ambiguous', 'Two matches', { extra: { matches: 2 }, operatorMessage: '/srv/x' });
    expect(failure(error)).toEqual({ data: { error: 'Two matches', matches: 2, path: 'a' }, told: 0 });
    expect(failure(new ToolError('invalid_arguments', 'No such field'), { path: 7 }).data).toEqual({
      error: 'No such field',
    });
    expect(failure(new ToolError('user_mismatch', 'Other user')).data).toEqual({ error: 'Other user' });
    expect(failure(cancelled(), null).data).toEqual({ error: 'The call was cancelled' });
    expect(failure(Object.assign(new Error('x'), { name: 'AbortError' })).data).toEqual({
      error: 'The call was cancelled',
      path: 'a',
    });
  });

  it('tells nothing of an unexpected error to the caller, and all of it to the operator', () => {
    expect(failure(new Error('at /srv/app/x.ts:1'))).toEqual({
      data: {
        error: 'The tool failed unexpectedly. Nothing may have been changed; look before trying again.',
        path: 'a',
      },
      told: 1,
    });
  });

  it('reaches the operator too where only the operator can help', () => {
    const caused = (code: string) => new WorkspaceError('io', 'Cannot write', { cause: { code } });
    for (const code of ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'])
      expect(failure(caused(code)).told, code).toBe(1);
    for (const code of ['ENOENT', 'EACCES']) expect(failure(caused(code)).told, code).toBe(0);
    expect(failure(new WorkspaceError('io', 'x')).told).toBe(0);
  });

  it('has the form and the hint of the tool, and no long text of the caller', () => {
    const tool = {
      failure: () => ({ error: 'x'.repeat(9_000), count: 3 }),
      hint: (error: unknown) => (error instanceof WorkspaceError ? 'Look first.' : undefined),
    } as unknown as Partial<AnyTool>;
    const { data } = failure(new WorkspaceError('changed', 'Changed'), {}, tool);
    expect(data).toEqual({ error: `${'x'.repeat(1_000)}… (9000 characters)`, count: 3, hint: 'Look first.' });
    expect(failure(new Error('x'), {}, tool).data).not.toHaveProperty('hint');
  });
});

it('names the code of a failure', () => {
  expect([
    codeOf(new WorkspaceError('denied', 'x')),
    codeOf(cancelled()),
    codeOf(new Error('x')),
    codeOf(null),
  ]).toEqual(['denied', 'cancelled', 'internal', 'internal']);
});
