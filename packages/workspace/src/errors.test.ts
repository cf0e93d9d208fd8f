import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  errnoOf,
  isRefusal,
  NotYet,
  osReason,
  shorten,
  toWorkspaceError,
  whenReady,
  WorkspaceError,
} from './errors.ts';

const failure = (code: string, errno?: number) =>
  Object.assign(new Error(`${code}: open '/srv/secret'`), { code, errno });

describe('an error of the file system', () => {
  it.each([
    ['ENOENT', 'not_found: File not found: a'],
    ['ENOTDIR', 'not_directory: Not a directory: a'],
    ['ENAMETOOLONG', 'invalid: Path is too long: a'],
  ])('%s has a code of its own', (code, expected) => {
    const error = toWorkspaceError(failure(code), 'a', 'read file') as WorkspaceError;
    expect(`${error.code}: ${error.message}`).toBe(expected);
    expect(error.cause).toMatchObject({ code });
  });

  it('says what the system says, without the path of the host', () => {
    try {
      readFileSync('/');
      expect.unreachable();
    } catch (error) {
      const wrapped = toWorkspaceError(error, 'a', 'read file') as WorkspaceError;
      expect([wrapped.code, wrapped.message]).toEqual(['io', 'Cannot read file: Illegal operation on a directory']);
    }
    expect(osReason(failure('ENOSPC'))).toBe('ENOSPC');
    expect(osReason(new Error('x'))).toBe('Unexpected failure');
    expect(osReason(null)).toBe('Unexpected failure');
  });

  it('is passed on if it is already one of the workspace, or not one of the file system', () => {
    for (const error of [new WorkspaceError('denied', 'x'), new TypeError('x'), failure('ERR_INVALID_ARG')])
      expect(toWorkspaceError(error, 'a', 'read file')).toBe(error);
    expect([errnoOf(failure('ENOENT')), errnoOf(failure('ERR_X')), errnoOf(undefined), errnoOf({ code: 2 })]).toEqual([
      'ENOENT',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is a refusal where the process has no permission', () => {
    expect(['EACCES', 'EPERM', 'ENOENT'].map((code) => isRefusal(failure(code)))).toEqual([true, true, false]);
  });
});

describe('an act that needs something made ready', () => {
  const act = (waits: number) => {
    let left = waits;
    return () => {
      if (left-- > 0) throw new NotYet('counting', Promise.resolve());
      return 'done';
    };
  };

  it('is done when it is ready, after five waits at most', async () => {
    expect(await whenReady(act(0))).toBe('done');
    expect(await whenReady(act(5))).toBe('done');
    await expect(whenReady(act(6))).rejects.toMatchObject({ code: 'busy', message: 'counting' });
  });

  it('is not done for a caller that cancelled meanwhile', async () => {
    await expect(whenReady(act(1), AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    expect(await whenReady(act(0), AbortSignal.abort())).toBe('done');
  });

  it('fails at once for every other reason', async () => {
    await expect(whenReady(() => Promise.reject(new WorkspaceError('busy', 'locked')))).rejects.toThrow('locked');
  });
});

it('has no host path for a model, and one for the operator', () => {
  const error = new WorkspaceError('unavailable', 'gone', { operatorMessage: '/srv/x is gone', extra: { a: 1 } });
  expect([error.message, error.operatorMessage, error.extra]).toEqual(['gone', '/srv/x is gone', { a: 1 }]);
  expect(new WorkspaceError('io', 'x').operatorMessage).toBe('x');
});

it('cuts a long text in a message', () => {
  expect(shorten('x'.repeat(200))).toHaveLength(200);
  expect(shorten('x'.repeat(201))).toBe(`${'x'.repeat(200)}… (201 characters)`);
});
