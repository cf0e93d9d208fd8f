import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, openWorkspace, type Workspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach, expect, it } from 'vitest';
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
import { undoSteps } from './undo-steps.ts';

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
}
afterEach(() => {
  workspace.close();
  activity.close();
  scratch.remove();
});

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
