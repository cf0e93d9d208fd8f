import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { useWorkspaces } from '../use-workspaces.ts';

const open = useWorkspaces();

it('deletes a file, an empty directory, and a link without the file that it leads to', async () => {
  const { workspace, scratch, at } = open(['f', 'empty/', 'l => $OUT/secret.txt']);
  expect(await workspace.delete('f')).toMatchObject({ type: 'file', undoable: false });
  expect(await workspace.delete('empty')).toMatchObject({ type: 'directory' });
  expect(await workspace.delete('l')).toMatchObject({ type: 'link' });
  expect(['f', 'empty', 'l'].filter((name) => lstatSync(at(name), { throwIfNoEntry: false }))).toEqual([]);
  expect(readFileSync(join(scratch.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
});

it('deletes a directory with content only if it is asked to', async () => {
  const { workspace, at } = open(['dir/a', 'dir/b/c']);
  expect((await failureOf(() => workspace.delete('dir'))).code).toBe('not_empty');
  expect(existsSync(at('dir/b/c'))).toBe(true);
  expect(await workspace.delete('dir', { recursive: true })).toMatchObject({ type: 'directory', entries: 3 });
  expect(existsSync(at('dir'))).toBe(false);
});

it('follows no link in a directory that it deletes', async () => {
  const { workspace, scratch, at } = open(['dir/l => $OUT']);
  await workspace.delete('dir', { recursive: true });
  expect(existsSync(at('dir'))).toBe(false);
  expect(readFileSync(join(scratch.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
});

it('refuses a directory with a protected file, and the workspace itself', async () => {
  const { workspace, at } = open(['dir/.env', 'dir/a']);
  expect((await failureOf(() => workspace.delete('dir', { recursive: true }))).code).toBe('denied');
  expect((await failureOf(() => workspace.delete('.', { recursive: true }))).code).toBe('invalid');
  expect((await failureOf(() => workspace.delete('../outside', { recursive: true }))).code).toBe('outside');
  expect(readFileSync(at('dir/a'), 'utf8')).toBe('dir/a');
});

it('deletes several paths together, or none of them', async () => {
  const { workspace, at } = open(['a', 'b', 'dir/c'], ({ base }) => ({ trashDir: join(base, 'trash') }));
  expect((await failureOf(() => workspace.deleteAll(['a', 'missing', 'b']))).code).toBe('not_found');
  expect(await failureOf(() => workspace.deleteAll(['dir', 'dir/c'], { recursive: true }))).toMatchObject({
    code: 'invalid',
    message: 'Another of these paths already holds dir/c',
  });
  expect((await failureOf(() => workspace.deleteAll(['a', 'a']))).code).toBe('invalid');
  expect(['a', 'b', 'dir/c'].filter((name) => existsSync(at(name)))).toEqual(['a', 'b', 'dir/c']);
  expect(await workspace.deleteAll(['a', 'b'])).toMatchObject([{ undoable: true }, { undoable: true }]);
  expect([existsSync(at('a')), existsSync(at('b'))]).toEqual([false, false]);
});

it('deletes only the version that the caller has seen', async () => {
  const { workspace, at } = open(['f']);
  const { version } = workspace.write('f', 'two');
  expect((await failureOf(() => workspace.delete('f', { expectedVersion: 'absent' }))).code).toBe('changed');
  expect(existsSync(at('f'))).toBe(true);
  await workspace.delete('f', { expectedVersion: version });
  expect(existsSync(at('f'))).toBe(false);
});

it('deletes names that begin alike together', async () => {
  const { workspace, at } = open(['a', 'ab', 'a.b/c']);
  await workspace.deleteAll(['a', 'ab', 'a.b'], { recursive: true });
  expect(['a', 'ab', 'a.b'].filter((name) => existsSync(at(name)))).toEqual([]);
});
