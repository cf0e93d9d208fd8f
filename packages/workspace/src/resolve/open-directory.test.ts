import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import type { ResolverKind } from './root.ts';

const open = useWorkspaces();
const RESOLVERS: readonly ResolverKind[] = ['openat2', 'walk', 'portable'];
const LINES = [
  'dir/a',
  'dir/b',
  'deep/er/f',
  'f',
  'in => dir',
  'out => $OUT',
  'to-file => f',
  '.ssh/config',
  'keys => .ssh',
];

it.each(RESOLVERS)('lists a directory by its path and through links that stay inside, resolver %s', (resolver) => {
  const { workspace } = open(LINES, { resolver });
  for (const path of ['dir', './dir/', 'in', 'dir/../in'])
    expect(
      workspace.list(path).entries.map(({ name }) => name),
      path,
    ).toEqual(['a', 'b']);
});

it.each(RESOLVERS)('opens nothing outside and no protected directory, resolver %s', async (resolver) => {
  const { workspace } = open(LINES, { resolver });
  const codes = ['out', '..', '/etc', '.ssh', 'keys'].map(
    async (path) => (await failureOf(() => workspace.list(path))).code,
  );
  expect(await Promise.all(codes)).toEqual(['link_outside', 'outside', 'outside', 'denied', 'denied']);
});

it.each(RESOLVERS)('says what a path is that is not a directory, resolver %s', async (resolver) => {
  const { workspace } = open(LINES, { resolver });
  const said = async (path: string) => {
    const { code, message } = await failureOf(() => workspace.list(path));
    return `${code}: ${message}`;
  };
  expect(await said('f')).toBe('not_directory: Not a directory: f');
  expect(await said('to-file')).toBe('not_directory: Not a directory: to-file');
  expect(await said('missing')).toBe('not_found: Directory not found: missing');
});

it('leaves no descriptor open, whether it lists or refuses', async () => {
  const { workspace } = open(LINES);
  const count = () => readdirSync('/proc/self/fd').length;
  workspace.list('dir');
  const before = count();
  for (let i = 0; i < 5; i++) {
    workspace.list('deep/er');
    await failureOf(() => workspace.list('f'));
    await failureOf(() => workspace.list('dir/missing'));
  }
  expect(count()).toBe(before);
});
