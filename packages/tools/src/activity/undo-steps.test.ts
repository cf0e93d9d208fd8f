import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, openWorkspace, type Workspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { expect, it, onTestFinished } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { type Call, checkedCall } from '../testing.ts';
import { makeToolset } from '../toolsets.ts';
import { fixedWorkspace } from '../workspace-source.ts';
import type { ActivityEntry } from './activity-entry.ts';
import { type Activity, openActivity } from './activity-log.ts';
import { foreseeUndo } from './foresee-undo.ts';
import { restoredVersions } from './restored-versions.ts';
import { selectUndo, undoEntries } from './undo.ts';
import { isOnOneWay, touchedBy, undoSteps } from './undo-steps.ts';

let scratch: Scratch;
let base: string;
let workspace: Workspace;
let activity: Activity;
let call: Call;

const old = (n: number | string): string => String(n).repeat(400);

/** By default the trash keeps two items of 400 bytes: an original, and the newest version that a tool replaced. */
function setUp(maxBytes = 1_000): void {
  scratch = makeScratch([`old.txt = ${old('o')}`, 'other.txt = x']);
  base = testDir();
  activity = openActivity(base, scratch.workspace);
  workspace = openWorkspace(scratch.workspace, {
    trashDir: activity.trashDir,
    trashLimits: { maxBytes },
  });
  call = checkedCall({ tools: makeToolset('full', fixedWorkspace(workspace)), activity }, [scratch.base, base]);
  const opened = { workspace, activity, scratch };
  onTestFinished(() => {
    opened.workspace.close();
    opened.activity.close();
    opened.scratch.remove();
  });
}

const host = (path: string) => join(scratch.workspace, path);
const text = (path: string) => readFileSync(host(path), 'utf8');

async function write(path: string, ...contents: readonly string[]): Promise<void> {
  for (const content of contents) await call('write_file', { path, content: old(content) });
  await workspace.settled();
}

/** Undoes the newest calls, and compares the prediction with the result. */
async function undo(count: number): Promise<readonly { readonly ok: boolean; readonly problem?: string }[]> {
  const chosen = selectUndo(activity.entries(), { count });
  const foreseen = await foreseeUndo(workspace, activity, chosen);
  const outcome = await undoEntries(workspace, activity, chosen, { userId: null, via: 'cli', client: null });
  expect([...foreseen.keys()]).toEqual(outcome.filter(({ ok }) => !ok).map(({ entry }) => entry.id));
  return outcome;
}

it('restores the original of a file when the trash dropped the versions in between', async () => {
  setUp();
  await write('old.txt', '1', '2', '3', '4', '5');
  expect(readdirSync(activity.trashDir)).toHaveLength(2);
  expect((await undo(5)).map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
  expect(text('old.txt')).toBe(old('o'));
  expect(await undo(5)).toEqual([]);
});

it('restores the original also through an append, after a deletion, and beside changes of other files', async () => {
  // A version that an append made counts as an original.
  setUp(1_500);
  await write('old.txt', '1', '2');
  await call('append_file', { path: 'old.txt', content: 'more' });
  await call('create_dir', { path: 'dir' });
  await write('old.txt', '3');
  await call('delete_path', { path: 'old.txt' });
  await call('delete_path', { path: 'other.txt' });
  await workspace.settled();
  expect(readdirSync(activity.trashDir)).toHaveLength(4);
  expect((await undo(7)).map(({ ok }) => ok)).toEqual([true, true, true, true, true, true, true]);
  expect(text('old.txt')).toBe(old('o'));
  expect(text('other.txt')).toBe('x');
  expect(existsSync(host('dir'))).toBe(false);
});

it('removes a file that tools made and replaced, with the directory that they made for it', async () => {
  setUp();
  await call('write_file', { path: 'made/new.txt', content: old(0) });
  await write('made/new.txt', '1', '2', '3');
  await write('old.txt', '1', '2');
  expect((await undo(6)).map(({ ok }) => ok)).toEqual([true, true, true, true, true, true]);
  expect(existsSync(host('made'))).toBe(false);
  expect(text('old.txt')).toBe(old('o'));
});

it('leaves a file alone when the call that replaced its original is not chosen', async () => {
  setUp();
  await write('old.txt', '1', '2', '3', '4', '5');
  expect((await undo(3)).map(({ ok, problem }) => problem ?? ok)).toEqual([
    true,
    'The old content of old.txt was not kept',
    'A newer change at old.txt could not be undone',
  ]);
  expect(text('old.txt')).toBe(old(4));
});

it('leaves a file alone that another program changed between two calls, or since the last one', async () => {
  setUp();
  await write('old.txt', '1', '2');
  writeFileSync(host('old.txt'), 'by a person');
  await write('old.txt', '3', '4', '5', '6');
  const chosen = selectUndo(activity.entries(), { count: 6 });
  const outcome = await undoEntries(workspace, activity, chosen, { userId: null, via: 'cli', client: null });
  expect(outcome.map(({ ok }) => ok)).toEqual([true, true, true, true, false, false]);
  expect(text('old.txt')).toBe('by a person');

  await write('other.txt', '1', '2', '3', '4');
  writeFileSync(host('other.txt'), 'by a person');
  expect((await undo(4)).map(({ ok }) => ok)).toEqual([false, false, false, false]);
  expect(text('other.txt')).toBe('by a person');
});

it.each<[string, (n: number) => Partial<Change> & { readonly path: string }]>([
  ['of files of their own', (n) => ({ path: `a/b/${n}.txt`, before: 'x', after: 'y' })],
  ['of one file', (n) => ({ path: 'a/b.txt', before: `${n + 1}`, after: `${n}` })],
  ['of one file that others changed', (n) => ({ path: 'a/b.txt', before: `x${n}`, after: `y${n}` })],
])('divides many calls %s in time in proportion to their number', async (_, changeOf) => {
  setUp();
  const chosen = Array.from(
    { length: 8_000 },
    (_entry, n) => ({ id: `${n}`, changes: [{ kind: 'update', ...changeOf(n) }] }) as unknown as ActivityEntry,
  );
  const divide = () => undoSteps(chosen, activity, restoredVersions([]));
  expect(divide()).toHaveLength(8_000);
  await expect.poll(() => costOf(divide)).toBeLessThan(50);
});

type Calls = (readonly Partial<Change>[])[];

/** Steps as the ids of their calls, and their changes without paths. */
function stepsOf(...calls: Calls) {
  setUp();
  const trashDir = testDir();
  writeFileSync(join(trashDir, 'kept'), '');
  const chosen = calls.map((changes, n) => ({
    id: `${n}`,
    changes: changes.map((change) => ({ path: 'f', ...change })),
  })) as unknown as ActivityEntry[];
  return undoSteps(chosen, { trashDir }, restoredVersions([])).map(({ entries, changes }) => [
    entries.map(({ id }) => id).join(' '),
    changes.map(({ path: _path, ...rest }) => rest),
  ]);
}
const update = (before: string, after: string, more: Partial<Change> = {}): Partial<Change> => ({
  kind: 'update',
  before,
  after,
  ...more,
});

it('joins calls up to the newest kept content of a file', () => {
  const kept = { trash: 'kept' };
  expect(stepsOf([update('b', 'c', kept)], [update('a', 'b')])).toEqual([
    ['0', [update('b', 'c', kept)]],
    ['1', [update('a', 'b')]],
  ]);
  expect(stepsOf([update('c', 'd')], [update('b', 'c', { trash: 'gone' })], [update('a', 'b', kept)], [])).toEqual([
    ['0 1 2', [update('a', 'd', kept)]],
    ['3', []],
  ]);
  const append = { kind: 'append', before: 'a', after: 'b' } as const;
  expect(stepsOf([update('b', 'c')], [append], [update('0', 'a', kept)])).toEqual([
    ['0 1 2', [update('0', 'c', kept)]],
  ]);
  expect(stepsOf([{ kind: 'delete', before: 'b' }], [update('a', 'b', kept)])).toEqual([
    ['0 1', [{ kind: 'delete', before: 'a', after: 'b', trash: 'kept' }]],
  ]);
});

it('joins calls up to the one that made the file, with the directories that it made', () => {
  const made = [{ kind: 'mkdir' }, { kind: 'create', after: 'a' }] as const;
  expect(stepsOf([update('b', 'c')], [update('a', 'b')], made)).toEqual([
    ['0 1 2', [{ kind: 'mkdir' }, { kind: 'create', after: 'c' }]],
  ]);
  expect(stepsOf([{ kind: 'delete', before: 'a' }], made).map(([ids]) => ids)).toEqual(['0', '1']);
});

it('joins no calls past another change', () => {
  const kept = update('a', 'b', { trash: 'kept' });
  const ids = (...calls: Calls) => stepsOf(...calls).map(([one]) => one);
  expect([
    ids([update('x', 'c')], [kept]),
    ids([update('b', 'c')], [{ kind: 'move', before: 'b', after: 'b', to: 'g' }], [kept]),
    ids([update('b', 'c')], [kept, { kind: 'update', path: 'g' }]),
    ids([update('b', 'c', { tree: 't' })], [kept]),
    ids([update('b', 'c')], [{ ...kept, path: 'other' }]),
    ids([{ kind: 'update', after: 'c' }], [kept]),
    ids([update('b', 'c')], [{ kind: 'update', path: 'f/below', before: 'a', after: 'b', trash: 'kept' }], [kept]),
  ]).toEqual([
    ['0', '1'],
    ['0', '1', '2'],
    ['0', '1'],
    ['0', '1'],
    ['0', '1'],
    ['0', '1'],
    ['0', '1', '2'],
  ]);
  expect(ids([update('b', 'c')], [{ ...kept, path: 'ff' }], [kept])).toEqual(['0 2', '1']);
});

it('knows which paths a call touched, and which are on one way', () => {
  setUp();
  const changes = [
    { kind: 'mkdir', path: 'd' },
    { kind: 'create', path: 'd/f' },
    { kind: 'move', path: 'a', to: 'b' },
  ] as const;
  expect([touchedBy({ changes }), touchedBy({})]).toEqual([['d/f', 'a', 'b'], []]);
  expect([isOnOneWay('a', 'a'), isOnOneWay('a/b', 'a'), isOnOneWay('a', 'a/b'), isOnOneWay('a', 'ab')]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
