import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useBench } from '../use-bench.ts';

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
