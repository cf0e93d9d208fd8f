import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { whenReady } from './errors.ts';
import { makeScratch, type Scratch } from './testing.ts';
import { createPace } from './pace.ts';
import { defaultTrashBytes, NotKept, openTrash, type TrashLimits } from './trash.ts';
import { openWorkspace, type Workspace } from './workspace.ts';
import { chunksOf, undoAll } from './operations/testing-changes.ts';

let scratch: Scratch;
let workspace: Workspace;
let far: string | undefined;
afterEach(() => {
  workspace.close();
  scratch.remove();
  if (far !== undefined) rmSync(far, { recursive: true, force: true });
  far = undefined;
});

function setUp(lines: readonly string[], trashLimits: TrashLimits, trashDir?: string): void {
  scratch = makeScratch(lines);
  workspace = openWorkspace(scratch.workspace, { trashDir: trashDir ?? join(scratch.base, 'trash'), trashLimits });
}

const at = (name: string) => join(scratch.workspace, name);
const text = (name: string) => readFileSync(at(name), 'utf8');

describe('the bound of the trash', () => {
  it('drops the versions that tools wrote before the first original', async () => {
    setUp(['a.txt = original', 'b.txt = other'], { maxBytes: 1_000 });
    const first = workspace.write('a.txt', 'v'.repeat(300));
    const other = workspace.write('b.txt', 'x');
    for (let i = 0; i < 12; i++) workspace.write('a.txt', `${i}`.padEnd(300, '.'));
    await workspace.settled();
    workspace.write('a.txt', 'last');
    await workspace.settled();
    const kept = readdirSync(join(scratch.base, 'trash'));
    const bytes = kept.map((name) => statSync(join(scratch.base, 'trash', name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1_000);
    expect(kept).toContain(first.changes[0]?.trash);
    expect(kept).toContain(other.changes[0]?.trash);
  });

  it('drops what tools made and added to before the first original, but not what they added to it', async () => {
    setUp([`a.txt = ${'o'.repeat(300)}`, `b.txt = ${'b'.repeat(300)}`], { maxBytes: 1_000 });
    for (const name of ['a.txt', 'b.txt']) utimesSync(at(name), 1, 1);
    const first = workspace.write('a.txt', 'short');
    workspace.append('b.txt', '!');
    const added = workspace.write('b.txt', 'short');
    for (let i = 0; i < 4; i++) {
      workspace.write(`made${i}.txt`, 'm'.repeat(290));
      workspace.append(`made${i}.txt`, `${i}`.repeat(i + 2));
      workspace.write(`made${i}.txt`, 'short');
      await workspace.settled();
    }
    const kept = readdirSync(join(scratch.base, 'trash'));
    expect(kept).toContain(first.changes[0]?.trash);
    expect(kept).toContain(added.changes[0]?.trash);
    expect(kept.length).toBeLessThan(6);
  });

  it('keeps the first original and the newest version when each version takes a third of the bound', async () => {
    setUp([`a.txt = ${'o'.repeat(300)}`], { maxBytes: 1_000 });
    // The trash compares size and modification time. Both files could have the same time: the kernel's clock moves in steps of 10 ms.
    utimesSync(at('a.txt'), 1, 1);
    const kept = () => readdirSync(join(scratch.base, 'trash'));
    let first: string | undefined;
    for (let i = 0; i < 12; i++) {
      const [change] = workspace.write('a.txt', `${i}`.padEnd(300, '.')).changes;
      first ??= change?.trash;
      await workspace.settled();
      expect(kept(), `after write ${i}`).toContain(first);
      expect(kept(), `after write ${i}`).toContain(change?.trash);
      expect(kept().length, `after write ${i}`).toBeLessThanOrEqual(3);
    }
    await workspace.delete('a.txt');
    await workspace.settled();
    expect(kept()).toContain(first);
  });

  it('counts what a person uploaded as an original', async () => {
    setUp(['a.txt = original'], { maxBytes: 1_000 });
    workspace.write('a.txt', 'by a tool');
    await workspace.receive('a.txt', chunksOf('by a person'), { maxBytes: 99 });
    const replaced = workspace.write('a.txt', 'v'.repeat(300));
    for (let i = 0; i < 12; i++) workspace.write('a.txt', `${i}`.padEnd(300, '.'));
    await workspace.settled();
    workspace.write('a.txt', 'last');
    await workspace.settled();
    expect(readdirSync(join(scratch.base, 'trash'))).toContain(replaced.changes[0]?.trash);
  });

  it('is a quarter of the quota, else a tenth of the free disk, and at least 256 MiB', () => {
    setUp([], {});
    const GIB = 1024 ** 3;
    expect(defaultTrashBytes(8 * GIB, scratch.base)).toBe(2 * GIB);
    expect(defaultTrashBytes(1, scratch.base)).toBe(GIB / 4);
    const { bavail, bsize } = statfsSync(scratch.base);
    const share = defaultTrashBytes(undefined, join(scratch.base, 'not/made/yet')) / (bavail * bsize);
    expect(share > 0.09 && share < 0.11).toBe(bavail * bsize > 2.6 * GIB);
    expect(workspace.trashBytes()).toBeGreaterThanOrEqual(GIB / 4);
  });

  it('is not part of the quota', async () => {
    scratch = makeScratch(['a.txt = 1234567890']);
    workspace = openWorkspace(scratch.workspace, { trashDir: join(scratch.base, 'trash'), quota: { maxBytes: 10 } });
    await workspace.delete('a.txt');
    expect(workspace.write('b.txt', '1234567890').status).toBe('created');
  });
});

describe.each(['descriptor', 'path'] as const)('a trash held by %s', (kind) => {
  const open = (lines: readonly string[], limits: TrashLimits = { maxBytes: 100 }) => {
    setUp(lines, {});
    const directory = join(scratch.base, 'own');
    return { directory, trash: openTrash(directory, limits, kind), names: () => readdirSync(directory).sort() };
  };
  const stat = (name: string) => lstatSync(at(name));

  it('keeps a second name of a file, finds it, and drops it', async () => {
    const { trash, directory, names } = open(['f = four']);
    expect([trash.maxBytes(), trash.namesOf(stat('f')), existsSync(directory)]).toEqual([100, 0, false]);
    const name = trash.keep(at('f'), stat('f')) as string;
    expect([name, statSync(directory).mode & 0o777]).toEqual([expect.stringMatching(/^\w{9}-\w{10}-4-0$/), 0o700]);
    expect([trash.find(name), trash.namesOf(stat('f')), names()]).toEqual([join(directory, name), 1, [name]]);
    writeFileSync(join(directory, 'notes'), '');
    for (const id of ['notes', '../workspace/f', '']) trash.drop(id);
    expect(['notes', '../workspace/f', ''].map((id) => trash.find(id))).toEqual([undefined, undefined, undefined]);
    trash.drop(name);
    await trash.settled();
    expect([trash.find(name), names(), text('f')]).toEqual([undefined, ['notes'], 'four']);
  });

  it('takes what is deleted under the name that it announces before', () => {
    const { trash, names } = open(['d/f', 'g']);
    const announced: unknown[] = [];
    const group = trash.newGroup();
    const taken = trash.take(at('d'), 3, {
      group,
      index: 2,
      before: (item) => announced.push([item, existsSync(at('d/f'))]),
    });
    expect([taken, announced, existsSync(at('d')), names()]).toEqual([
      `${group}-3-2`,
      [[`${group}-3-2`, true]],
      false,
      [`${group}-3-2`],
    ]);
    expect(trash.take(at('g'), 1)).toMatch(/^\w{9}-\w{10}-1-0$/);
  });

  it('copies what stays in its place, or nothing of it', async () => {
    const { trash, directory, names } = open(['d/f']);
    const group = trash.newGroup();
    expect(await trash.copyIn(at('d'), 3, { group, index: 1, pace: createPace() })).toBe(`${group}-3-1`);
    expect([text('d/f'), readFileSync(join(directory, names()[0] as string, 'f'), 'utf8')]).toEqual(['d/f', 'd/f']);
    const cancelled = trash.copyIn(at('d'), 3, { pace: createPace([AbortSignal.abort()]) });
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    expect(names()).toHaveLength(1);
  });

  it('keeps nothing above its bound, and marks what tools wrote', async () => {
    const { trash, names } = open([`f = ${'x'.repeat(100)}`, `g = ${'x'.repeat(101)}`]);
    expect(trash.keep(at('f'), stat('f'))).toBeDefined();
    for (const act of [
      () => trash.keep(at('g'), stat('g')),
      () => trash.take(at('g'), 101),
      () => trash.copyIn(at('g'), 101, { pace: createPace() }),
    ])
      await expect((async () => act())()).rejects.toEqual(expect.any(NotKept));
    expect(new NotKept('too_large')).toMatchObject({ reason: 'too_large', message: 'too_large' });
    expect([names().length, text('g').length]).toEqual([1, 101]);
    writeFileSync(at('person'), '1');
    writeFileSync(at('tool'), '12');
    trash.markOwn(stat('tool'));
    const before = { person: stat('person'), tool: stat('tool') };
    for (const name of ['person', 'tool'] as const) {
      writeFileSync(at(name), '1234');
      utimesSync(at(name), 1, name === 'tool' ? 2 : 3);
      trash.markOwn(stat(name), before[name]);
    }
    expect(['person', 'tool'].map((name) => trash.keep(at(name), stat(name))?.endsWith('-w'))).toEqual([false, true]);
    writeFileSync(at('next'), 'n');
    expect(trash.keep(at('person'), stat('person'), { successor: stat('next') })).toMatch(/-4-0-[0-9a-f]{12}$/);
    expect(trash.keep(at('next'), stat('next'))).toMatch(/-1-0-w$/);
  });

  it('keeps the newest items, and the one that is spared', async () => {
    const { trash, directory, names } = open([], { maxBytes: 1e6, maxItems: 3 });
    const take = () => {
      writeFileSync(at('f'), 'x');
      return trash.take(at('f'), 1);
    };
    const taken = Array.from({ length: 70 }, take);
    await trash.settled();
    // The item whose act caused the check is spared.
    expect(names()).toEqual([taken[0], ...taken.slice(-2)]);
    for (let n = 0; n < 2; n++) taken.push(take());
    writeFileSync(at('f'), 'x');
    const reopened = openTrash(directory, { maxBytes: 1e6, maxItems: 3 }, kind);
    const kept = reopened.keep(at('f'), stat('f'), { spare: taken[0] });
    await reopened.settled();
    expect(names()).toEqual([taken[0], taken.at(-1), kept]);
  });
});

describe('a trash on another device', () => {
  it('keeps a large file that is overwritten, and the call waits for the copy', async ({ skip }) => {
    if (!existsSync('/dev/shm')) skip('needs another file system');
    far = mkdtempSync('/dev/shm/croft-test-');
    setUp([], {}, far);
    if (statSync('/dev/shm').dev === statSync(scratch.base).dev) skip('needs another file system');
    writeFileSync(at('big'), 'old');
    truncateSync(at('big'), 3 * 1024 * 1024);
    const { changes } = await whenReady(() => workspace.write('big', 'new'));
    await undoAll(workspace, changes);
    expect([statSync(at('big')).size, text('big').slice(0, 3)]).toEqual([3 * 1024 * 1024, 'old']);
    expect(readdirSync(scratch.workspace)).toEqual(['big']);
  });
});
