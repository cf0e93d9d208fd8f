import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { versionOf } from '../text/version.ts';
import { trashBeside, useEnclosures } from '../use-enclosures.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import type { Trash } from '../trash.ts';
import { deletePath, deletePaths } from './delete-path.ts';
import type { ChangeJournal } from './journal.ts';

const open = useWorkspaces();
const openParts = useEnclosures();

it('deletes a file, an empty directory, and a link without the file that it leads to', async () => {
  const { workspace, scratch, at } = open(['f', 'empty/', 'l => $OUT/secret.txt']);
  const before = versionOf(statSync(at('f')));
  const link = lstatSync(at('l')).size;
  const none = { entries: 0, undoable: false };
  expect([await workspace.delete('f'), await workspace.delete('empty'), await workspace.delete('./l')]).toEqual([
    { type: 'file', ...none, changes: [{ kind: 'delete', path: 'f', bytes: 1, before }] },
    { type: 'directory', ...none, changes: [{ kind: 'delete', path: 'empty', bytes: 0 }] },
    { type: 'link', ...none, changes: [{ kind: 'delete', path: 'l', bytes: link }] },
  ]);
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

it('says why it does not delete', async () => {
  const { workspace, at } = open(['f', 'dir/a'], ({ base }) => ({
    trashDir: join(base, 'trash'),
    trashLimits: { maxBytes: 5 },
  }));
  workspace.write('four', '1234');
  workspace.write('six', '123456');
  const refusal = async (paths: readonly string[], options = {}) => {
    const { code, message } = await failureOf(() => workspace.deleteAll(paths, options));
    return `${code}: ${message}`;
  };
  expect([
    await refusal(['missing']),
    await refusal(['f/below']),
    await refusal(['f', 'f']),
    await refusal(['.']),
    await refusal(['f'], { signal: AbortSignal.abort() }),
  ]).toEqual([
    'not_found: File not found: missing',
    'not_directory: Not a directory: f/below',
    'invalid: Another of these paths already holds f',
    'invalid: The workspace itself cannot be moved or deleted: .',
    'cancelled: The call was cancelled',
  ]);
  expect((await refusal(['six'])).replace(/ \(.*/s, '')).toMatch(/^not_undoable: .*six/);
  expect(await refusal(['four', 'f', 'dir'], { recursive: true })).toMatch(/^not_undoable: .*These 3 entries/);
  expect(['f', 'dir/a', 'four', 'six'].filter((name) => !existsSync(at(name)))).toEqual([]);
  expect((await workspace.deleteAll(['four', 'f'])).map(({ undoable }) => undoable)).toEqual([true, true]);
  expect((await workspace.deleteAll(['six'], { permanent: true })).map(({ undoable }) => undoable)).toEqual([false]);
  const readOnly = open(['f'], { readOnly: true });
  expect((await failureOf(() => readOnly.workspace.delete('f'))).code).toBe('read_only');
});

it('keeps what it deletes together as one group of the trash', async () => {
  const { workspace, scratch } = open(['a = one', 'dir/c = three'], ({ base }) => ({ trashDir: join(base, 'trash') }));
  const outcomes = await workspace.deleteAll(['a', 'dir'], { recursive: true });
  const trash = readdirSync(join(scratch.base, 'trash')).sort();
  expect(outcomes.flatMap(({ changes }) => changes.map((change) => change.trash))).toEqual(trash);
  const groups = trash.map((name) => /^(\w+-\w+)-(\w+)-(\d)$/.exec(name)?.slice(1) ?? []);
  expect(groups.map(([, ...rest]) => rest)).toEqual([
    ['3', '0'],
    ['5', '1'],
  ]);
  expect(new Set(groups.map(([group]) => group)).size).toBe(1);
});

it('deletes nothing in a workspace that was moved away meanwhile', async () => {
  const { enclosure, scratch } = openParts(['f', 'd/'], trashBeside());
  const trash = {
    ...(enclosure.trash as NonNullable<typeof enclosure.trash>),
    maxBytes: () => {
      renameSync(scratch.workspace, `${scratch.base}/moved`);
      return 1_000;
    },
  };
  const failure = await failureOf(() => deletePath({ ...enclosure, trash }, 'f'));
  expect([failure.code, readdirSync(`${scratch.base}/moved`)]).toEqual(['unavailable', ['d', 'f']]);
});

describe('deletions of which a later one fails', () => {
  const makeJournal = () => {
    const calls: unknown[] = [];
    const journal: ChangeJournal = {
      intend: (changes) => void calls.push(changes.map(({ path }) => path)),
      done: () => void calls.push('done'),
      withdraw: () => void calls.push('withdraw'),
    };
    return { journal, calls };
  };
  /** A trash that fails to take the second path, after `before`. */
  const failing = (before: (at: (name: string) => string) => void) => {
    const { enclosure, at } = openParts(['a = one', 'b', 'c'], trashBeside());
    const trash = enclosure.trash as Trash;
    const take: Trash['take'] = (from, bytes, how) => {
      if (how?.index === 1) {
        before(at);
        throw Object.assign(new Error('EIO'), { code: 'EIO', errno: -5 });
      }
      return trash.take(from, bytes, how);
    };
    const { journal, calls } = makeJournal();
    const act = () => deletePaths({ ...enclosure, trash: { ...trash, take } }, ['a', 'b', 'c'], { journal });
    return { at, act, calls };
  };

  it('are put back, and withdrawn from the record', async () => {
    const { act, at, calls } = failing(() => undefined);
    expect((await failureOf(act)).message).toMatch(/^Cannot delete: /);
    expect([readFileSync(at('a'), 'utf8'), calls]).toEqual(['one', [['a', 'b', 'c'], 'withdraw']]);
  });

  it('stay on record, and in the failure, where their names are taken', async () => {
    const { act, at, calls } = failing((host) => writeFileSync(host('a'), 'new'));
    expect(await failureOf(act)).toMatchObject({
      code: 'io',
      message: expect.stringMatching(/^These paths stay deleted: a\. Failure of b: Cannot delete: /),
    });
    expect([readFileSync(at('a'), 'utf8'), calls]).toEqual(['new', [['a', 'b', 'c'], ['a'], 'done']]);
  });

  it('stay on record where their directory was exchanged in the last moment', async () => {
    const { enclosure, at } = openParts(['d/f', 'e/'], trashBeside(), 'portable');
    const trash = enclosure.trash as Trash;
    const take: Trash['take'] = (...given) => {
      const item = trash.take(...given);
      renameSync(at('d'), at('moved'));
      renameSync(at('e'), at('d'));
      return item;
    };
    const { journal, calls } = makeJournal();
    expect(
      (await failureOf(() => deletePath({ ...enclosure, trash: { ...trash, take } }, 'd/f', { journal }))).code,
    ).toBe('outside');
    expect([calls, existsSync(at('moved/f')), readdirSync(at('d'))]).toEqual([[['d/f'], ['d/f'], 'done'], false, []]);
  });
});
