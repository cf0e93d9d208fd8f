import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import type { ResolverKind } from './root.ts';

const open = useWorkspaces();
const RESOLVERS: readonly ResolverKind[] = ['openat2', 'walk', 'portable'];

it.each(RESOLVERS)('opens a file by its path, and through links that stay inside, resolver %s', (resolver) => {
  const { workspace } = open(['dir/f = text', 'to-file => dir/f', 'to-dir => $ROOT/dir'], { resolver });
  for (const path of ['dir/f', './dir/../dir/f', 'to-file', 'to-dir/f']) {
    const { fd, parts } = workspace.open(path);
    expect(readFileSync(fd, 'utf8'), path).toBe('text');
    expect(parts, path).toEqual(['dir', 'f']);
    closeSync(fd);
  }
});

it.each(RESOLVERS)('opens nothing outside, by whatever way, resolver %s', async (resolver) => {
  const { workspace } = open(['l => $OUT/secret.txt', 'up => ../outside', 'far => up/secret.txt', 'dir/'], {
    resolver,
  });
  for (const path of [
    'l',
    'up/secret.txt',
    'far',
    '../outside/secret.txt',
    'dir/../../outside/secret.txt',
    '/etc/passwd',
  ])
    expect((await failureOf(() => workspace.open(path))).code, path).toMatch(/outside/);
});

it.each(RESOLVERS)('refuses a protected file behind a harmless name, resolver %s', async (resolver) => {
  const { workspace } = open(['.env = KEY', 'notes => .env'], { resolver });
  expect((await failureOf(() => workspace.open('notes'))).code).toBe('denied');
});

it.each(RESOLVERS)('refuses a directory and a FIFO without waiting for its writer, resolver %s', async (resolver) => {
  const { workspace, at } = open(['dir/a', 'to-dir => dir', 'to-pipe => pipe', 'file = text'], { resolver });
  execFileSync('mkfifo', [at('pipe')]);
  const count = () => readdirSync('/proc/self/fd').length;
  const before = count();
  const refusals = [];
  for (const path of ['dir', 'to-dir', 'pipe', 'to-pipe', 'missing', 'dir/missing', 'dir/a/b']) {
    const { code, message } = await failureOf(() => workspace.open(path));
    refusals.push(`${code}: ${message}`);
  }
  expect(refusals).toEqual([
    'is_directory: Path is a directory, not a file: dir',
    'is_directory: Path is a directory, not a file: to-dir',
    'not_regular: Not a regular file: pipe',
    'not_regular: Not a regular file: to-pipe',
    'not_found: File not found: missing',
    'not_found: File not found: dir/missing',
    'not_directory: Not a directory: dir/a/b',
  ]);
  expect(count()).toBe(before);
  const { fd, stat } = workspace.open('./file');
  expect([count(), fstatSync(fd).ino, stat.ino, stat.size]).toEqual([
    before + 1,
    stat.ino,
    statSync(at('file')).ino,
    4,
  ]);
  expect(() => writeSync(fd, 'x')).toThrow('EBADF');
  closeSync(fd);
});

it.each(RESOLVERS)('does not confuse a name with a path of the same letters, resolver %s', (resolver) => {
  const { workspace } = open(['ab = name', 'a/b = path', 'a/cd = other', 'a/c/d = path'], { resolver });
  const contents = ['a/b', 'ab', 'a/c/d', 'a/cd'].map((path) => {
    const { fd } = workspace.open(path);
    const text = readFileSync(fd, 'utf8');
    closeSync(fd);
    return text;
  });
  expect(contents).toEqual(['path', 'name', 'path', 'other']);
});
