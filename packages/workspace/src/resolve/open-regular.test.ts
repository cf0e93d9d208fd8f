import { execFileSync } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
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
  const { workspace, at } = open(['dir/a'], { resolver });
  execFileSync('mkfifo', [at('pipe')]);
  expect((await failureOf(() => workspace.open('dir'))).code).toBe('is_directory');
  expect((await failureOf(() => workspace.open('pipe'))).code).toBe('not_regular');
  expect((await failureOf(() => workspace.open('missing'))).code).toBe('not_found');
});
