import { type Edit, emptyFlow, type FlowNode } from '@croft/flow';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { documentOf } from '../testing.ts';
import { createFlow } from './create-flow.ts';
import { editFlow } from './edit-flow.ts';
import { editKeyOfTurn } from './edit-key.ts';
import { getFlow } from './get-flow.ts';
import { shareFlow } from './share-flow.ts';
import { nextUndo, revertOwnEdit } from './undo-edit.ts';

let db: Db;
let flowId: string;
let version: number;
useSharedDatabase((database) => void (db = database.db), ['ue-ann', 'ue-bob', 'ue-cid']);
beforeEach(async () => {
  flowId = (await createFlow(db, 'ue-ann', emptyFlow('Start'))).flow.id;
  await shareFlow(db, { userId: 'ue-ann', flowId, email: 'ue-bob@example.test', access: 'edit' });
  await shareFlow(db, { userId: 'ue-ann', flowId, email: 'ue-cid@example.test', access: 'read' });
  version = 1;
});

const [template] = documentOf('name: F\nnodes:\n  A: ChatInput', (_, id) => id).nodes;
const node = (id: string): FlowNode => ({ ...(template as FlowNode), id });
const add = (id: string): Edit => ({ kind: 'add_component', node: node(id) });
const name = (text: string): Edit => ({ kind: 'set_details', name: text });

async function edit(userId: string, edits: readonly Edit[], turn?: string) {
  const key = turn === undefined ? {} : { key: editKeyOfTurn(turn) };
  ({ version } = await editFlow(db, { userId, flowId, base: version, edits, ...key }));
}
async function revert(kind: 'undo' | 'redo', userId = 'ue-ann', turnId?: string) {
  const change = await revertOwnEdit(db, { userId, flowId, base: version, kind, turnId });
  ({ version } = change);
  return change;
}
async function state() {
  const found = await getFlow(db, 'ue-ann', flowId);
  return [found?.name, ...(found?.document.nodes.map(({ id }) => id) ?? [])];
}
const nothing = { status: 409, code: 'not_undoable' };

it('undoes the edits of a user one by one, and redoes them in the other order', async () => {
  await edit('ue-ann', [name('One')]);
  await edit('ue-ann', [name('Two')]);
  await revert('undo');
  expect(await state()).toEqual(['One']);
  await revert('undo');
  expect(await state()).toEqual(['Start']);
  await expect(revert('undo')).rejects.toMatchObject(nothing);
  await revert('redo');
  await revert('redo');
  expect(await state()).toEqual(['Two']);
  await expect(revert('redo')).rejects.toMatchObject(nothing);
  await revert('undo');
  expect(await state()).toEqual(['One']);
});

it('redoes nothing after a new edit', async () => {
  await edit('ue-ann', [name('One')]);
  await revert('undo');
  await edit('ue-ann', [name('Other')]);
  await expect(revert('redo')).rejects.toMatchObject(nothing);
});

it('undoes only edits of the user, and leaves what others changed since', async () => {
  await edit('ue-ann', [add('A')]);
  await edit('ue-ann', [name('Ann')]);
  await edit('ue-bob', [name('Bob')]);
  await revert('undo');
  expect(await state()).toEqual(['Bob']);
  await expect(revert('undo')).rejects.toMatchObject(nothing);
  await revert('undo', 'ue-bob');
  expect(await state()).toEqual(['Ann']);
});

it('undoes the edits of a turn together', async () => {
  await edit('ue-ann', [name('Own')]);
  await edit('ue-ann', [add('A')], 'turn-1');
  await edit('ue-ann', [add('B')], 'turn-1');
  await edit('ue-ann', [add('C')], 'turn-2');
  await revert('undo');
  expect(await state()).toEqual(['Own', 'A', 'B']);
  await revert('undo');
  expect(await state()).toEqual(['Own']);
  await revert('undo');
  expect(await state()).toEqual(['Start']);
});

it('undoes a turn by its id, also where the user edited since', async () => {
  await edit('ue-ann', [add('A')], 'turn-1');
  await edit('ue-ann', [name('Own')]);
  await revert('undo', 'ue-ann', 'turn-1');
  expect(await state()).toEqual(['Own']);
  await expect(revert('undo', 'ue-ann', 'turn-1')).rejects.toMatchObject(nothing);
  await expect(revert('undo', 'ue-ann', 'turn-9')).rejects.toMatchObject(nothing);
  await expect(revert('undo', 'ue-bob', 'turn-1')).rejects.toMatchObject(nothing);
});

it('gives the edits that the client does not have', async () => {
  await edit('ue-ann', [name('One')]);
  await edit('ue-bob', [add('B')]);
  const change = await revertOwnEdit(db, { userId: 'ue-ann', flowId, base: 2, kind: 'undo' });
  expect([change.between.length, change.version, await state()]).toEqual([1, 4, ['Start', 'B']]);
});

it('changes nothing for a user who may only read', async () => {
  await expect(revert('undo', 'ue-cid')).rejects.toMatchObject({ code: 'read_only' });
});

it('says which edit an undo takes back next', async () => {
  const next = () => nextUndo(db, 'ue-ann', flowId);
  expect(await next()).toBeUndefined();
  await edit('ue-ann', [add('A')], 'turn-1');
  await edit('ue-ann', [name('Ann')]);
  expect(await next()).toEqual({ turnId: undefined, at: expect.any(Date) });
  // An undo passes over an edit of which another user left nothing.
  await edit('ue-bob', [name('Bob')]);
  expect(await next()).toMatchObject({ turnId: 'turn-1' });
  await revert('undo');
  expect(await state()).toEqual(['Bob']);
  expect(await next()).toBeUndefined();
  expect(await nextUndo(db, 'ue-bob', flowId)).toMatchObject({ turnId: undefined });
  expect(await nextUndo(db, 'ue-dan', flowId)).toBeUndefined();
});
