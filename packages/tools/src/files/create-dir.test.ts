import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useBench } from '../use-bench.ts';
import { createDirTool } from './create-dir.ts';
import type { FileToolkit } from './toolkit.ts';
import { describedTool } from '../testing.ts';

const { setUp, call, host } = useBench('full');

it('makes a directory with its parents once, and says which ones for the undo', async () => {
  setUp();
  const first = await call('create_dir', { path: 'x/y' });
  expect([first.data, statSync(host('x/y')).isDirectory()]).toEqual([{ status: 'created', path: 'x/y' }, true]);
  expect(first.changes?.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['mkdir x', 'mkdir x/y']);
  const second = await call('create_dir', { path: 'x/y' });
  expect([second.ok, second.data, second.changes]).toEqual([true, { status: 'exists', path: 'x/y' }, []]);
});

it('cannot have the name of a file', async () => {
  setUp(['a.txt']);
  expect((await call('create_dir', { path: 'a.txt' })).data).toEqual({
    error: 'A file exists at this path: a.txt',
    path: 'a.txt',
  });
  expect((await call('create_dir', { path: 'a.txt/b' })).data.error).toMatch(/a\.txt/);
});

it('describes itself and its arguments', () => {
  expect(describedTool(createDirTool({} as FileToolkit), { path: 'a' })).toEqual({
    name: 'create_dir',
    title: 'Create directory',
    description:
      'Make a directory and its missing parents. One that exists already is fine. Writing a file makes its parents by itself.',
    tags: ['create_dir'],
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    structured: true,
    input: {
      path: {
        type: 'string',
        description: 'Directory to make, relative to the workspace root.',
      },
    },
    output: {
      status: {
        type: 'string',
        enum: ['created', 'exists'],
      },
      path: {
        type: 'string',
      },
    },
    paths: ['a'],
  });
});
