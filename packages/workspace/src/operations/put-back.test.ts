import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Enclosure } from '../enclosure.ts';
import { createPace } from '../pace.ts';
import { codeOf, failureOf, withReplaced } from '../testing.ts';
import { versionOf } from '../text/version.ts';
import { trashBeside, useEnclosures } from '../use-enclosures.ts';
import type { Change } from './change.ts';
import { deletePath } from './delete-path.ts';
import { changedAgain, isAt, putBack } from './put-back.ts';
import { writeFile } from './write-file.ts';

const open = useEnclosures();
function setUp(lines: readonly string[], parts: Partial<Enclosure> = {}) {
  const { enclosure, at } = open(lines, (scratch) => ({ ...trashBeside()(scratch), ...parts }));
  const undo = (change: Change) => putBack(enclosure, change, createPace());
  return { enclosure, at, undo, text: (name: string) => readFileSync(at(name), 'utf8') };
}
const changeOf = ({ changes }: { readonly changes: readonly Change[] }) => changes.at(-1) as Change;

describe('the old content of a file', () => {
  it('comes back in the place of the new one, which the trash keeps', async () => {
    const { enclosure, undo, text, at } = setUp(['f = old']);
    const change = changeOf(writeFile(enclosure, 'f', 'new text'));
    const back = changeOf(await undo(change));
    expect([text('f'), back.kind, back.path, back.after]).toEqual(['old', 'update', 'f', versionOf(statSync(at('f')))]);
    expect(readFileSync(enclosure.trash?.find(back.trash as string) as string, 'utf8')).toBe('new text');
    expect(enclosure.trash?.find(change.trash as string)).toBeUndefined();
  });

  it('comes back to a deleted name, with its parents', async () => {
    const { enclosure, undo, text, at } = setUp(['d/f = old']);
    const change = changeOf(await deletePath(enclosure, 'd/f'));
    rmSync(at('d'), { recursive: true });
    const { changes } = await undo(change);
    expect([text('d/f'), changes.map(({ kind, path }) => `${kind} ${path}`)]).toEqual([
      'old',
      ['mkdir d', 'create d/f'],
    ]);
  });

  it('comes back as a whole directory, with a digest of it', async () => {
    const { enclosure, undo, at } = setUp(['d/a = one', 'd/e/b = two']);
    const change = changeOf(await deletePath(enclosure, 'd', { recursive: true }));
    const back = changeOf(await undo(change));
    expect([back.kind, typeof back.tree, (readdirSync(at('d'), { recursive: true }) as string[]).sort()]).toEqual([
      'create',
      'string',
      ['a', 'e', 'e/b'],
    ]);
  });

  it.each([
    [0o644, 0o600, 0o600],
    [0o644, 0o755, 0o755],
    [0o755, 0o4755, 0o4755],
    [0o4755, undefined, 0o4755],
  ])('with mode %o and the later mode %o comes back with mode %o', async (before, later, expected) => {
    const { enclosure, undo, text, at } = setUp(['f = old']);
    chmodSync(at('f'), before);
    const change = changeOf(writeFile(enclosure, 'f', 'new'));
    if (later !== undefined) chmodSync(at('f'), later);
    await undo(change);
    expect([text('f'), statSync(at('f')).mode & 0o7777]).toEqual(['old', expected]);
  });

  it('keeps what it replaces if the directory is moved away just afterwards', async () => {
    const { enclosure, at, scratch } = open(['d/f = old'], trashBeside(), 'portable');
    const change = changeOf(writeFile(enclosure, 'd/f', 'new'));
    const journal = {
      intend: () => {},
      done: () => {
        renameSync(at('d'), at('e'));
        mkdirSync(at('d'));
      },
      withdraw: () => {},
    };
    expect(await codeOf(() => putBack({ ...enclosure, journal }, change, createPace()))).toBe('outside');
    await enclosure.trash?.settled();
    const trash = join(scratch.base, 'trash');
    expect(readFileSync(at('e/f'), 'utf8')).toBe('old');
    expect(readdirSync(trash).map((name) => readFileSync(join(trash, name), 'utf8'))).toEqual(['new']);
  });

  it('does not replace later work', async () => {
    const { enclosure, undo, text, at } = setUp(['f = old', 'g = old']);
    const update = changeOf(writeFile(enclosure, 'f', 'new'));
    const removal = changeOf(await deletePath(enclosure, 'g'));
    writeFileSync(at('f'), 'later');
    writeFileSync(at('g'), 'later');
    expect((await failureOf(() => undo(update))).message).toBe('f was changed again since');
    expect((await failureOf(() => undo(removal))).message).toBe('Something new exists at g');
    expect([text('f'), text('g')]).toEqual(['later', 'later']);
    rmSync(at('f'));
    expect(await codeOf(() => undo(update))).toBe('changed');
    expect(enclosure.trash?.find(update.trash as string)).toBeDefined();
  });

  it('has to be in the trash', async () => {
    const { enclosure, undo } = setUp(['f = old']);
    const change = changeOf(writeFile(enclosure, 'f', 'new'));
    const { trash: _, ...untrashed } = change;
    expect(await codeOf(() => undo(untrashed))).toBe('not_found');
    expect(await codeOf(() => undo({ ...change, trash: 'no-such' }))).toBe('not_found');
  });
});

it('counts what comes back, and leaves no parents where there is no room', async () => {
  const reserved: string[] = [];
  const quota = {
    reserve: (bytes: number, files: number) => {
      reserved.push(`${bytes} ${files}`);
      return () => void reserved.push('end');
    },
    changed: () => undefined,
  };
  const { enclosure, undo, at } = setUp(['d/f = four']);
  const change = changeOf(await deletePath(enclosure, 'd/f'));
  rmSync(at('d'), { recursive: true });
  const counted = { ...enclosure, quota };
  const full = {
    ...quota,
    reserve: () => {
      throw new Error('no room');
    },
  };
  expect(await codeOf(() => putBack({ ...enclosure, quota: full }, change, createPace()))).toBe('io');
  expect(existsSync(at('d'))).toBe(false);
  await putBack(counted, change, createPace());
  expect(reserved).toEqual(['4 1', 'end']);
  expect(await codeOf(() => undo(change))).toBe('not_found');
});

it('puts nothing back once it is cancelled', async () => {
  const { enclosure, at } = setUp(['f = old']);
  const change = changeOf(await deletePath(enclosure, 'f'));
  expect(await codeOf(() => putBack(enclosure, change, createPace([AbortSignal.abort()])))).toBe('cancelled');
  expect(existsSync(at('f'))).toBe(false);
});

it('takes a copied file for the recorded one, and none without a record', () => {
  const stat = lstatSync('.');
  const version = versionOf(stat);
  expect([isAt(stat, version), isAt(stat, undefined), isAt({ ...stat, size: 1 } as typeof stat, version)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(isAt(Object.assign(Object.create(stat), { ino: 1 }), version)).toBe(true);
  expect(changedAgain({ kind: 'update', path: 'f' }).code).toBe('changed');
});

describe('content from a trash on another device', () => {
  /** A deleted directory, and its return while nothing can be renamed out of the trash. */
  async function setUpFar(prepare: (at: (name: string) => string) => void = () => {}) {
    const { enclosure, at, scratch } = open(['d/a = one', 'f = old'], trashBeside(), 'portable');
    prepare(at);
    const deleted = changeOf(await deletePath(enclosure, 'd', { recursive: true }));
    const written = changeOf(writeFile(enclosure, 'f', 'new'));
    const rename = fs.renameSync;
    const nearRename = ((from: string, to: string) => {
      if (from.startsWith(`${scratch.base}/trash/`) !== to.startsWith(`${scratch.base}/trash/`))
        throw Object.assign(new Error('EXDEV'), { code: 'EXDEV', errno: -18 });
      rename(from, to);
    }) as typeof renameSync;
    const undo = (change: Change) =>
      withReplaced(fs, { renameSync: nearRename }, () => putBack(enclosure, change, createPace()));
    return { enclosure, at, deleted, written, undo };
  }

  it('is copied beside its place first', async () => {
    const { enclosure, at, deleted, written, undo } = await setUpFar();
    expect(changeOf(await undo(deleted))).toMatchObject({ kind: 'create', path: 'd' });
    expect(changeOf(await undo(written))).toMatchObject({ kind: 'update', path: 'f' });
    await enclosure.trash?.settled();
    expect([readFileSync(at('d/a'), 'utf8'), readFileSync(at('f'), 'utf8'), readdirSync(at('.')).sort()]).toEqual([
      'one',
      'old',
      ['d', 'f'],
    ]);
    expect([deleted, written].map(({ trash }) => enclosure.trash?.find(trash as string))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('stays in the trash if not all of it can be copied', async () => {
    const { enclosure, at, deleted, undo } = await setUpFar((at) => execFileSync('mkfifo', [at('d/pipe')]));
    expect(await failureOf(() => undo(deleted))).toMatchObject({
      code: 'io',
      message: 'Cannot restore d: not all of it could be copied',
    });
    expect([readdirSync(at('.')), enclosure.trash?.find(deleted.trash as string) !== undefined]).toEqual([['f'], true]);
  });
});

it('says why it puts nothing back', async () => {
  const { enclosure, undo } = setUp(['f = old']);
  const change = changeOf(writeFile(enclosure, 'f', 'new'));
  const message = async (given: Change) => (await failureOf(() => undo(given))).message;
  const { trash: _trash, ...untrashed } = change;
  expect(await message(untrashed)).toBe('The old content of f was not kept');
  const fail = () => {
    throw Object.assign(new Error('no'), { code: 'EIO', errno: -5 });
  };
  const journal = { intend: fail, done() {}, withdraw() {} };
  const failure = await failureOf(() => putBack({ ...enclosure, journal }, change, createPace()));
  expect([failure.code, failure.message, enclosure.trash?.find(change.trash as string) !== undefined]).toEqual([
    'io',
    'Cannot restore f: I/o error',
    true,
  ]);
});
