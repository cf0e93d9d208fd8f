import fs, { openSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf, withReplaced } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import { LIST } from './native.ts';
import { openDirectory } from './open-directory.ts';
import type { ResolverKind } from './root.ts';

const open = useWorkspaces();
const enclose = useEnclosures();
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

it('looks again at a directory that is being exchanged, and passes on other failures', async () => {
  const { enclosure } = enclose(['dir/a'], {}, 'walk');
  const real = openSync;
  const listsWith = (code: string) => {
    let times = 0;
    const failing = (path: string, flags: number) => {
      if (flags === LIST && times++ === 0) throw Object.assign(new Error(code), { code, errno: -5 });
      return real(path, flags);
    };
    return withReplaced(fs, { openSync: failing as typeof openSync }, () => {
      openDirectory(enclosure, 'dir').dir.close();
      return times;
    });
  };
  expect([await listsWith('ELOOP'), await listsWith('ENOTDIR')]).toEqual([2, 2]);
  await expect(listsWith('EIO')).rejects.toMatchObject({ code: 'io' });
});
