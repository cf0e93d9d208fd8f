import { FlowError } from '@croft/flow';
import { WorkspaceError } from '@croft/workspace';
import { describe, expect, it } from 'vitest';
import { Problem } from './problem.ts';
import { StoreError } from './store/store-error.ts';
import { throwProblems, toProblem } from './to-problem.ts';

/** All parts of the problem of an error. */
function parts(error: unknown) {
  const problem = toProblem(error);
  return problem && [problem.status, problem.code, problem.message, problem.headers, problem.cause];
}

describe('a failure of the workspace', () => {
  it.each([
    ['busy', 429],
    ['cancelled', 400],
    ['deadline', 504],
    ['changed', 409],
    ['unavailable', 503],
  ] as const)('%s is answered with the status that the OpenAPI document lists', (code, status) => {
    expect(parts(new WorkspaceError(code, 'The reason'))).toEqual([status, code, 'The reason', {}, undefined]);
  });

  it('has another code where a quota is reached', () => {
    expect(toProblem(new WorkspaceError('quota', 'Full'))).toMatchObject({ code: 'quota_exceeded', status: 507 });
  });

  it('is described in words for people', () => {
    expect(toProblem(new WorkspaceError('denied', 'Path contains NUL byte'))?.message).toBe(
      'A name cannot contain a NUL character.',
    );
  });
});

it('leaves a problem as it is', () => {
  const problem = new Problem(418, 'teapot', 'Short and stout');
  expect(toProblem(problem)).toBe(problem);
});

it('answers a full disk and a database that is down, with the error as the cause', () => {
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
  expect(parts(full)).toEqual([
    507,
    'disk_full',
    'The disk of the server is full. Ask its operator to free space.',
    {},
    full,
  ]);
  const down = new StoreError('unavailable', 'restarting');
  expect(parts(down)).toEqual([
    503,
    'database_down',
    'The database does not answer. Try again in a moment.',
    { 'Retry-After': '5' },
    down,
  ]);
});

it('shows the refusal to remove the last admin, and no other failure of the store', () => {
  expect(parts(new StoreError('last_admin', 'Keep one admin.'))).toEqual([
    409,
    'last_admin',
    'Keep one admin.',
    {},
    undefined,
  ]);
  expect(toProblem(new StoreError('base_in_use', '/home/ann is in use'))).toBeUndefined();
});

it('refuses text that no column can hold', () => {
  const refused = [400, 'invalid', 'Leave out the NUL character.', {}, undefined];
  expect(parts(Object.assign(new Error('x'), { code: '22021' }))).toEqual(refused);
  expect(parts(new Error('x', { cause: { code: '22021' } }))).toEqual(refused);
  expect(toProblem(new Error('x', { cause: { code: '22022' } }))).toBeUndefined();
});

it('shows the message of a refused flow', () => {
  expect(parts(new FlowError('too_large', 'Too many nodes'))).toEqual([
    413,
    'too_large',
    'Too many nodes',
    {},
    undefined,
  ]);
  expect(parts(new FlowError('newer_version', 'Newer'))).toEqual([409, 'newer_version', 'Newer', {}, undefined]);
  expect(parts(new FlowError('invalid_document', 'No node x'))).toEqual([400, 'invalid', 'No node x', {}, undefined]);
});

it('has nothing for other errors, which callers must not learn about', () => {
  for (const error of [new Error('/secret'), 'text', null, undefined]) expect(toProblem(error)).toBeUndefined();
});

describe('functions that throw problems', () => {
  class Files {
    readonly size = 3;
    private readonly name = 'a';
    async read(end: string) {
      return this.name + end;
    }
    async write(error: Error): Promise<never> {
      throw error;
    }
  }
  const files = throwProblems(new Files());

  it('return what the functions return, and have the other properties', async () => {
    expect([await files.read('b'), files.size]).toEqual(['ab', 3]);
  });

  it('throw the problem of an error, or the error itself', async () => {
    await expect(files.write(new WorkspaceError('busy', 'Wait'))).rejects.toMatchObject({
      name: 'Problem',
      status: 429,
      message: 'Wait',
    });
    const other = new Error('other');
    await expect(files.write(other)).rejects.toBe(other);
  });
});
