import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace, type Change, type Workspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach, expect, it } from 'vitest';
import type { ActivityEntry } from './activity-entry.ts';
import { openTakenBack } from './taken-back.ts';

let scratch: Scratch;
let workspace: Workspace;
afterEach(() => {
  workspace.close();
  scratch.remove();
});

async function setUp() {
  scratch = makeScratch(['a = one', 'd/f = two']);
  workspace = openWorkspace(scratch.workspace);
  const before = workspace.info('a').version;
  const deleted: Change = { kind: 'delete', path: 'a', before, trash: 't1' };
  const folder: Change = { kind: 'delete', path: 'd', trash: 't2' };
  const back: Change[] = [
    { kind: 'create', path: 'd', tree: (await workspace.digest('d')) as string },
    { kind: 'create', path: 'a', after: before },
  ];
  const entries = [
    { id: '1', changes: [deleted, folder] },
    { id: '2', changes: back, undoes: [], restored: ['t1', 't2'] },
  ] as unknown as ActivityEntry[];
  return { deleted, folder, entries, isTakenBack: openTakenBack(workspace, entries) };
}

it('knows a file and a folder that came back, until they change', async () => {
  const { deleted, folder, isTakenBack } = await setUp();
  expect([await isTakenBack(deleted), await isTakenBack(folder)]).toEqual([true, true]);
  writeFileSync(join(scratch.workspace, 'a'), 'other');
  writeFileSync(join(scratch.workspace, 'd/new'), 'other');
  expect([await isTakenBack(deleted), await isTakenBack(folder)]).toEqual([false, false]);
  await workspace.delete('a');
  expect(await isTakenBack(deleted)).toBe(false);
});

it('takes no change for taken back that no undo reversed, and none of another kind', async () => {
  const { deleted, folder, entries } = await setUp();
  const alone = openTakenBack(workspace, entries.slice(0, 1));
  expect([await alone(deleted), await alone(folder)]).toEqual([false, false]);
  const isTakenBack = openTakenBack(workspace, entries);
  for (const kind of ['create', 'append', 'move', 'mkdir'] as const)
    expect(await isTakenBack({ ...deleted, kind }), kind).toBe(false);
  expect(await isTakenBack({ ...folder, kind: 'update' })).toBe(false);
});
