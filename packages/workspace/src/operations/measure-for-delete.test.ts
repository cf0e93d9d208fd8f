import { existsSync, lstatSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createPace } from '../pace.ts';
import { locate } from '../resolve/locate.ts';
import { failureOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import { measureForDelete } from './measure-for-delete.ts';

const open = useWorkspaces();
const enclose = useEnclosures();

it('counts files and directories, and refuses a directory that holds the base directory', async () => {
  const { enclosure, at } = enclose(['d/a = 12345', 'd/base/b = 123', 'd/link => $OUT/secret.txt']);
  const measure = async (base?: string) => {
    const ino = base === undefined ? -1 : lstatSync(at(base)).ino;
    const is = (stat: { ino: number }) => stat.ino === ino;
    const given = { ...enclosure, base: { isInside: true, is } as never };
    const found = locate(given, 'd');
    try {
      return await measureForDelete(given, found, true, createPace());
    } finally {
      found.close();
    }
  };
  expect(await measure()).toEqual({ bytes: 8, entries: 4 });
  const { code, message } = await failureOf(() => measure('d/base'));
  expect([code, message]).toEqual(['outside', 'Path escapes workspace boundary: d']);
});

it('needs permission to delete the content of a directory, and none for an empty one', async () => {
  const { workspace, at } = open(['d/a', 'empty/']);
  const failure = await failureOf(() => workspace.delete('d'));
  expect([failure.code, failure.message]).toEqual([
    'not_empty',
    'Directory is not empty: d. Pass recursive=true to delete it with its content.',
  ]);
  await workspace.delete('empty');
  await workspace.delete('d', { recursive: true });
  expect([existsSync(at('d')), existsSync(at('empty'))]).toEqual([false, false]);
});

it.each([
  ['d/deep/.env', '.env', {}],
  ['d/.git/config', '.git', {}],
  ['d/.lfsig', '.lfsig', { denyList: false }],
  ['d/own.secret', 'own.secret', { denyList: ['*.secret'] }],
] as const)('deletes no directory with the protected %s in it', async (line, name, options) => {
  const { workspace, at } = open(['d/a', line], options);
  const failure = await failureOf(() => workspace.delete('d', { recursive: true }));
  expect([failure.code, failure.message]).toEqual(['denied', `Refusing to delete d: it contains protected '${name}'`]);
  expect(existsSync(at('d/a'))).toBe(true);
});

it('may delete credentials where the operator switches the list off', async () => {
  const { workspace, at } = open(['d/.env'], { denyList: false });
  await workspace.delete('d', { recursive: true });
  expect(existsSync(at('d'))).toBe(false);
});

it('looks at no more entries and levels than the limits allow, and deletes nothing beyond them', async () => {
  const limits = { maxTreeEntries: 3, maxDepth: 2 };
  const { workspace, at } = open(['few/a', 'few/b', 'few/c', 'many/a', 'many/b', 'many/c', 'many/d', 'deep/1/2/3'], {
    limits,
  });
  await workspace.delete('few', { recursive: true });
  const said = async (path: string) => {
    const { code, message } = await failureOf(() => workspace.delete(path, { recursive: true }));
    return `${code}: ${message}`;
  };
  expect(await said('many')).toBe('too_large: Directory has more than 3 entries: many');
  expect(await said('deep')).toBe(
    'too_large: Directory is nested more than 2 levels: deep. Delete an inner directory first.',
  );
  expect([existsSync(at('many/d')), existsSync(at('deep/1/2/3'))]).toEqual([true, true]);
});
