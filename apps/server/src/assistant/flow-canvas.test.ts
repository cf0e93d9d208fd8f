import { type Edit, emptyFlow } from '@croft/flow';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import { editFlow } from '../flows/edit-flow.ts';
import { listRestorePoints } from '../flows/restore-points.ts';
import type { Db } from '../store/database.ts';
import { createFlowCanvas } from './flow-canvas.ts';
import { ForModel } from './for-model.ts';

let db: Db;
let flowId: string;
let sent: string[];
const userId = 'fn-ann';
useSharedDatabase((database) => void (db = database.db), [userId, 'fn-bob']);
beforeEach(async () => {
  flowId = (await createFlow(db, userId, emptyFlow('Start'))).flow.id;
  sent = [];
});

const canvas = (turnId = 'turn-1', key?: string, of = userId) =>
  createFlowCanvas({
    storage: async () => db,
    events: { send: (to, { event }) => void sent.push(`${to} ${event}`) },
    flowComponents: { fillEdits: async (_, edits) => edits },
    userId: of,
    flowId,
    turnId,
    message: 'Build a shop',
    ...(key !== undefined && { key }),
  });
const rename = (name: string): Edit[] => [{ kind: 'set_details', name }];
const person = (base: number, name: string) => editFlow(db, { userId, flowId, base, edits: rename(name) });

it('reads and edits the flow of the user, and tells open pages', async () => {
  expect(await canvas().read()).toMatchObject({ version: 1, flow: { name: 'Start' } });
  expect(await canvas().edit(1, rename('One'))).toMatchObject({ version: 2, flow: { name: 'One' } });
  expect(sent).toEqual([`${userId} flows`]);
  const refused = canvas('turn-1', undefined, 'fn-bob').read();
  await expect(refused).rejects.toBeInstanceOf(ForModel);
});

it('edits on top of changes of others, unless the edit needs the exact version', async () => {
  await person(1, 'Person');
  expect(await canvas().editExactly(1, rename('Exact'))).toBeUndefined();
  expect((await canvas().read()).flow.name).toBe('Person');
  expect(await canvas().editExactly(2, rename('Exact'))).toMatchObject({ version: 3 });
  expect(await canvas().edit(1, [{ kind: 'set_details', description: 'x' }])).toMatchObject({
    version: 4,
    flow: { name: 'Exact' },
  });
  await expect(canvas().editExactly(4, [{ kind: 'remove_component', id: 'none' }])).rejects.toBeInstanceOf(ForModel);
});

it('carries out a decision once', async () => {
  await canvas('turn-1', 'decision').edit(1, rename('Once'));
  await canvas('turn-1', 'decision').edit(2, rename('Twice'));
  expect(await canvas().read()).toMatchObject({ version: 2, flow: { name: 'Once' } });
});

it('undoes the edits of a turn together', async () => {
  await canvas().edit(1, rename('One'));
  await canvas().edit(2, [{ kind: 'set_details', description: 'Two' }]);
  sent = [];
  expect(await canvas('turn-2').undo()).toMatchObject({ flow: { name: 'Start', description: '' } });
  expect(sent).toEqual([`${userId} flows`]);
  await expect(canvas('turn-2').undo()).rejects.toBeInstanceOf(ForModel);
});

it('keeps a restore point with the message', async () => {
  const id = await canvas().checkpoint();
  expect((await listRestorePoints(db, flowId)).map((point) => [point.id, point.name])).toEqual([
    [id, 'Before the assistant: Build a shop'],
  ]);
});
