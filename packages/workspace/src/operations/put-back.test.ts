import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Enclosure } from '../enclosure.ts';
import { createPace } from '../pace.ts';
import { codeOf, failureOf } from '../testing.ts';
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
