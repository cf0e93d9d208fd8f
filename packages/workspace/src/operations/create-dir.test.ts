import { existsSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { useWorkspaces } from '../use-workspaces.ts';

const open = useWorkspaces();

it('makes a directory with its parents, and succeeds where it exists', () => {
  const { workspace, at } = open(['in => real', 'real/']);
  expect(workspace.createDir('a/b/c')).toEqual({
    created: true,
    changes: ['a', 'a/b', 'a/b/c'].map((path) => ({ kind: 'mkdir', path })),
  });
  expect(statSync(at('a/b/c')).isDirectory()).toBe(true);
  expect(workspace.createDir('./a/b/')).toEqual({ created: false, changes: [] });
  expect(workspace.createDir('in/x').created).toBe(true);
  expect(existsSync(at('real/x'))).toBe(true);
});

it('makes nothing where a file, a link outside or a protected name is in the way', async () => {
  const { workspace, scratch, at } = open(['f', 'out => $OUT', 'gone => missing']);
  const said = async (path: string) => {
    const { code, message } = await failureOf(() => workspace.createDir(path));
    return `${code}: ${message}`;
  };
  expect(await said('f')).toBe('exists: A file exists at this path: f');
  expect(await said('new/../f')).toMatch(/^exists|^not_found/);
  expect(await said('f/x')).toMatch(/^not_directory/);
  expect(await said('out/x')).toMatch(/^link_outside/);
  expect(await said('a/.ssh')).toMatch(/^denied/);
  expect(await said('../x')).toMatch(/^outside/);
  expect([existsSync(at('a')), existsSync(`${scratch.outside}/x`)]).toEqual([false, false]);
});

it('is refused in a read-only workspace, also for a directory that exists', async () => {
  const { workspace } = open(['d/'], { readOnly: true });
  for (const path of ['d', 'new']) expect((await failureOf(() => workspace.createDir(path))).code).toBe('read_only');
});

it('is on record before it is made', async () => {
  const { workspace, at } = open();
  const journal = {
    intend: () => {
      throw new Error('the record cannot be written');
    },
    withdraw: () => undefined,
  };
  await expect(async () => workspace.createDir('a', { journal: journal as never })).rejects.toThrow(
    'the record cannot',
  );
  expect(existsSync(at('a'))).toBe(false);
});
