import fs, {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Enclosure } from '../enclosure.ts';
import { createPace } from '../pace.ts';
import { locate } from '../resolve/locate.ts';
import { Unsettled } from '../resolve/settle.ts';
import { codeOf, withReplaced } from '../testing.ts';
import { trashBeside, useEnclosures } from '../use-enclosures.ts';
import { putBackAll, type Removal, removeOne } from './remove-one.ts';

const open = useEnclosures();
/** A located name, and its removal. */
function setUp(lines: readonly string[], name: string, parts: Partial<Enclosure> | 'no trash' = {}) {
  const made = open(lines, (scratch) => (parts === 'no trash' ? {} : { ...trashBeside(10)(scratch), ...parts }));
  const found = locate(made.enclosure, name, { leaf: 'keep', forChange: true });
  const intended: (string | undefined)[] = [];
  const remove = (more: Partial<Removal> = {}) =>
    removeOne(made.enclosure, {
      found,
      stat: found.stat as NonNullable<typeof found.stat>,
      bytes: found.stat?.size ?? 0,
      group: undefined,
      index: 0,
      pace: createPace(),
      intend: (trash) => void intended.push(trash),
      ...more,
    });
  return { ...made, found, remove, intended };
}

/** The end of a path is a name that cannot be removed, as in a directory that forbids writing. */
function withStuck<Result>(end: string, act: () => Promise<Result>): Promise<Result> {
  const { unlink } = fs.promises;
  const failing = async (path: Parameters<typeof unlink>[0]) => {
    if (realpathSync(String(path)).endsWith(end)) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    await unlink(path);
  };
  return withReplaced(fs.promises, { unlink: failing }, act);
}

describe('a removed name', () => {
  it('is kept in the trash, and recorded before it goes', async () => {
    const { enclosure, at, remove, intended } = setUp(['f = text'], 'f');
    const item = await remove();
    expect([existsSync(at('f')), intended]).toEqual([false, [item]]);
    expect(readFileSync(enclosure.trash?.find(item as string) as string, 'utf8')).toBe('text');
  });

  it('is gone without a trash, with all that was below it', async () => {
    const { at, remove, intended } = setUp(['d/a', 'd/e/b', 'other'], 'd', 'no trash');
    expect([await remove(), intended, readdirSync(at('.'))]).toEqual([undefined, [undefined], ['other']]);
  });

  it('stays where the trash cannot keep it, unless a person agreed', async () => {
    const { at, remove } = setUp(['f = text'], 'f');
    expect(await codeOf(() => remove({ bytes: 11 }))).toBe('not_undoable');
    expect(existsSync(at('f'))).toBe(true);
    const agreed = setUp(['f = text'], 'f', { permanent: true });
    expect([await agreed.remove({ bytes: 11 }), existsSync(agreed.at('f'))]).toEqual([undefined, false]);
  });

  it('is a link itself, not what it leads to', async () => {
    const { at, remove } = setUp(['f', 'link => f'], 'link');
    await remove();
    expect(readdirSync(at('.'))).toEqual(['f']);
  });

  it.each(['no trash', {}] as const)('is not one that something else has taken meanwhile (%j)', async (parts) => {
    const { at, remove, intended } = setUp(['f = text', 'other'], 'f', parts);
    renameSync(at('other'), at('f'));
    await expect(remove()).rejects.toThrow(Unsettled);
    expect([readFileSync(at('f'), 'utf8'), intended]).toEqual(['other', []]);
  });

  it.each(['no trash', {}] as const)(
    'goes back where something else was at the name in the last moment (%j)',
    async (parts) => {
      const { at, remove } = setUp(['f = text'], 'f', parts);
      const intend = () => {
        rmSync(at('f'));
        writeFileSync(at('f'), 'of another program');
      };
      await expect(remove({ intend })).rejects.toThrow(Unsettled);
      expect(readFileSync(at('f'), 'utf8')).toBe('of another program');
    },
  );
});

it('gives back what was removed, and never over something new', async () => {
  const first = setUp(['f = text'], 'f');
  const trash = await first.remove();
  expect(await putBackAll(first.enclosure, [{ found: first.found, trash }])).toEqual([]);
  expect([readFileSync(first.at('f'), 'utf8'), first.enclosure.trash?.find(trash as string)]).toEqual([
    'text',
    undefined,
  ]);
  const second = setUp(['f = text'], 'f');
  const item = await second.remove();
  writeFileSync(second.at('f'), 'new');
  const removed = [item, undefined].map((each) => ({ found: second.found, trash: each }));
  expect(await putBackAll(second.enclosure, removed)).toEqual(removed.reverse());
  expect(readFileSync(second.at('f'), 'utf8')).toBe('new');
  expect(second.enclosure.trash?.find(item as string)).toBeDefined();
});

describe('a name whose trash is on another device', () => {
  const far = <Result>(base: string, act: () => Result | Promise<Result>) => {
    const rename = fs.renameSync;
    const isKept = (path: string) => path.startsWith(`${base}/trash/`);
    const nearRename = ((from: string, to: string) => {
      if (isKept(from) !== isKept(to)) throw Object.assign(new Error('EXDEV'), { code: 'EXDEV', errno: -18 });
      rename(from, to);
    }) as typeof renameSync;
    return withReplaced(fs, { renameSync: nearRename }, act);
  };

  it.each([
    ['f', 'f = text', 4],
    ['d', 'd/a = text', 4],
    ['l', 'l => f', 1],
  ])('is copied before it goes, and comes back as a copy: %s', async (name, line, bytes) => {
    const { enclosure, scratch, at, found, remove, intended } = setUp([line], name);
    const item = await far(scratch.base, () => remove({ bytes }));
    expect([intended.length, intended.at(-1), readdirSync(at('.'))]).toEqual([2, item, []]);
    const kept = enclosure.trash?.find(item as string) as string;
    expect(lstatSync(kept).isSymbolicLink() || readFileSync(name === 'd' ? `${kept}/a` : kept, 'utf8')).toBe(
      name === 'l' ? true : 'text',
    );
    await far(scratch.base, () => putBackAll(enclosure, [{ found, trash: item }]));
    await enclosure.trash?.settled();
    expect([readdirSync(at('.')), enclosure.trash?.find(item as string)]).toEqual([[name], undefined]);
  });

  it('stays if its content changes while it is copied', async () => {
    const { enclosure, scratch, at, remove } = setUp(['d/a = text'], 'd');
    let count = 0;
    const intend = () => writeFileSync(at(`d/b${++count}`), 'new');
    await expect(far(scratch.base, () => remove({ intend, bytes: 4 }))).rejects.toThrow(Unsettled);
    await enclosure.trash?.settled();
    expect([readdirSync(at('d')), readdirSync(`${scratch.base}/trash`)]).toEqual([['a', 'b1', 'b2'], []]);
  });

  it('is deleted once its copy is complete, even if a part of it cannot be removed', async () => {
    const { enclosure, scratch, at, remove, intended } = setUp(['d/a = text', 'd/e/b'], 'd');
    const item = await far(scratch.base, () => withStuck('/e/b', () => remove({ bytes: 8 })));
    await enclosure.trash?.settled();
    expect([existsSync(at('d')), intended.at(-1)]).toEqual([false, item]);
    const kept = enclosure.trash?.find(item as string) as string;
    expect(readdirSync(kept, { recursive: true }).sort()).toEqual(['a', 'e', 'e/b']);
  });

  it('goes back, with its copy dropped, if it cannot be compared with the copy', async () => {
    const { enclosure, scratch, at, remove } = setUp(['d/a = text'], 'd');
    const lstat = fs.lstatSync;
    let [isGone, records] = [false, 0];
    const failing = ((path: string, options?: object) => {
      if (isGone && path.endsWith('/a')) throw Object.assign(new Error('EIO'), { code: 'EIO', errno: -5 });
      return lstat(path, options);
    }) as typeof lstatSync;
    // The first record is that of the rename, which fails.
    const intend = () => void (isGone = ++records === 2);
    const act = () => withReplaced(fs, { lstatSync: failing }, () => remove({ intend, bytes: 4 }));
    await expect(far(scratch.base, act)).rejects.toThrow(Unsettled);
    await enclosure.trash?.settled();
    expect([readFileSync(at('d/a'), 'utf8'), readdirSync(`${scratch.base}/trash`)]).toEqual(['text', []]);
  });
});

it('is gone without a trash, even if a part of it cannot be removed', async () => {
  const { at, remove } = setUp(['d/a', 'd/e/b'], 'd', 'no trash');
  expect([await withStuck('/e/b', remove), existsSync(at('d'))]).toEqual([undefined, false]);
});

it.each(['EXDEV', 'EACCES', 'EPERM', 'EROFS', 'EIO'])(
  'goes through its own directory where the root fails with %s',
  async (code) => {
    const { at, remove } = setUp(['d/f = text', 'd/g'], 'd/f', 'no trash');
    const rename = fs.renameSync;
    let calls = 0;
    const secondRename = ((from: string, to: string) => {
      if (calls++ === 0) throw Object.assign(new Error(code), { code });
      rename(from, to);
    }) as typeof renameSync;
    const outcome = await withReplaced(fs, { renameSync: secondRename }, () =>
      remove().then(
        () => 'gone',
        (error: NodeJS.ErrnoException) => error.code,
      ),
    );
    expect([outcome, readdirSync(at('d'))]).toEqual(code === 'EIO' ? ['EIO', ['f', 'g']] : ['gone', ['g']]);
  },
);
