import fs, { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { failureOf, makeScratch, type Scratch, withReplaced } from '../testing.ts';
import { type TrashLimits } from '../trash.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import type { Change } from './change.ts';
import { chunksOf, undoAll } from './testing-changes.ts';

let scratch: Scratch;
let workspace: Workspace;
afterEach(() => {
  workspace.close();
  scratch.remove();
});

function setUp(lines: readonly string[], trashLimits: TrashLimits): void {
  scratch = makeScratch(lines);
  workspace = openWorkspace(scratch.workspace, { trashDir: join(scratch.base, 'trash'), trashLimits });
}

const at = (name: string) => join(scratch.workspace, name);
const text = (name: string) => readFileSync(at(name), 'utf8');

describe('a change whose old content the trash cannot keep', () => {
  const BIG = 'b'.repeat(101);
  const lines = [`big.txt = ${BIG}`, `d/big.txt = ${BIG}`];
  const acts: [string, (permanent?: true) => unknown][] = [
    ['a deletion', (permanent) => workspace.delete('big.txt', { ...(permanent && { permanent }) })],
    [
      'a deletion of a directory',
      (permanent) => workspace.delete('d', { recursive: true, ...(permanent && { permanent }) }),
    ],
    ['a write', (permanent) => workspace.write('big.txt', 'new', { ...(permanent && { permanent }) })],
    [
      'an upload',
      (permanent) => workspace.receive('big.txt', chunksOf('new'), { maxBytes: 9, ...(permanent && { permanent }) }),
    ],
  ];

  it.each(acts)('is refused and leaves everything as it was: %s', async (_, act) => {
    setUp(lines, { maxBytes: 100 });
    const error = await failureOf(() => act());
    expect([error.code, error.message, error.extra]).toEqual([
      'not_undoable',
      expect.stringMatching(
        /^(big\.txt|d) could not be restored afterwards: 101 bytes are more than the trash can keep \(100\)\. /,
      ),
      { bytes: 101, trash_bytes: 100 },
    ]);
    expect([text('big.txt'), text('d/big.txt')]).toEqual([BIG, BIG]);
    expect(readdirSync(scratch.workspace).sort()).toEqual(['big.txt', 'd']);
  });

  it.each(acts)('is made with permanent, and offers no undo: %s', async (_, act) => {
    setUp(lines, { maxBytes: 100 });
    const { changes } = (await act(true)) as { changes: readonly Change[] };
    expect(changes.map(({ trash }) => trash)).toEqual([undefined]);
    expect((await failureOf(() => undoAll(workspace, changes))).code).toBe('not_found');
  });

  it('is still kept with permanent when it fits', async () => {
    setUp(lines, { maxBytes: 101 });
    const { changes, undoable } = await workspace.delete('big.txt', { permanent: true });
    expect(undoable).toBe(true);
    await undoAll(workspace, changes);
    expect(text('big.txt')).toBe(BIG);
  });

  it('is refused for an undo too, which then loses nothing', async () => {
    setUp(['a.txt = old'], { maxBytes: 100 });
    const { changes } = workspace.write('a.txt', BIG);
    expect((await failureOf(() => undoAll(workspace, changes))).code).toBe('not_undoable');
    expect(text('a.txt')).toBe(BIG);
  });
});

describe('a deletion of several paths', () => {
  it('comes back whole, though it fills the trash', async () => {
    setUp(['a = 1', 'b = 2', 'c = 3'], { maxBytes: 100 });
    for (const name of ['a', 'b', 'c']) writeFileSync(at(name), name.repeat(33));
    const done = await workspace.deleteAll(['a', 'b', 'c']);
    await workspace.settled();
    await undoAll(
      workspace,
      done.flatMap(({ changes }) => changes),
    );
    expect(['a', 'b', 'c'].map((name) => text(name)[0])).toEqual(['a', 'b', 'c']);
  });

  it('is refused as a whole when the trash cannot keep all of it', async () => {
    setUp(['a = 1', 'b = 2', 'c = 3'], { maxBytes: 98 });
    for (const name of ['a', 'b', 'c']) writeFileSync(at(name), name.repeat(33));
    const { code, message } = await failureOf(() => workspace.deleteAll(['a', 'b', 'c']));
    expect([code, message]).toEqual(['not_undoable', expect.stringContaining('These 3 entries')]);
    expect(readdirSync(scratch.workspace).sort()).toEqual(['a', 'b', 'c']);
  });

  it('gives back what it had deleted when a later path cannot be deleted', async () => {
    setUp(['a = 1', 'd/b = 2'], {});
    const { code } = await failureOf(() => workspace.deleteAll(['a', 'missing']));
    expect(code).toBe('not_found');
    expect(readdirSync(scratch.workspace).sort()).toEqual(['a', 'd']);
    const { renameSync } = fs;
    const broken = (from: string, to: string) => {
      if (from.endsWith('/d')) throw Object.assign(new Error('no'), { code: 'EIO', errno: -5, syscall: 'rename' });
      renameSync(from, to);
    };
    const failure = await withReplaced(fs, { renameSync: broken as typeof renameSync }, () =>
      failureOf(() => workspace.deleteAll(['a', 'd'], { recursive: true })),
    );
    expect(failure.code).toBe('io');
    expect([text('a'), text('d/b')]).toEqual(['1', '2']);
    expect(readdirSync(join(scratch.base, 'trash'))).toEqual([]);
  });

  it('refuses a path twice, and one inside another', async () => {
    setUp(['d/b = 2', 'link => d'], {});
    for (const paths of [
      ['d', 'd/b'],
      ['d/b', 'd/./b'],
      ['link/b', 'd'],
    ])
      expect((await failureOf(() => workspace.deleteAll(paths, { recursive: true }))).code).toBe('invalid');
    expect(text('d/b')).toBe('2');
  });

  it('is dropped from the trash together', async () => {
    setUp(['a = 1', 'b = 2', 'later = 3'], { maxBytes: 100 });
    for (const name of ['a', 'b', 'later']) writeFileSync(at(name), name[0]?.repeat(40) ?? '');
    await workspace.deleteAll(['a', 'b']);
    await workspace.settled();
    await workspace.delete('later');
    await workspace.settled();
    expect(readdirSync(join(scratch.base, 'trash'))).toHaveLength(1);
  });
});
