import { WorkspaceError } from '@croft/workspace';
import { describe, expect, it } from 'vitest';
import { toProblem } from './to-problem.ts';

describe('a failure of the workspace', () => {
  it.each([
    ['busy', 429],
    ['cancelled', 400],
    ['deadline', 504],
    ['changed', 409],
    ['unavailable', 503],
  ] as const)('%s is answered with the status that the OpenAPI document lists', (code, status) => {
    expect(toProblem(new WorkspaceError(code, 'The reason'))).toMatchObject({ code, status, message: 'The reason' });
  });

  it('has another code where a quota is reached', () => {
    expect(toProblem(new WorkspaceError('quota', 'Full'))).toMatchObject({ code: 'quota_exceeded', status: 507 });
  });
});
