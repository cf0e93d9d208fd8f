import { emptyFlow } from '@croft/flow';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { keepAutomaticPoint, type PointAuthor } from './automatic-point.ts';
import { createFlow } from './create-flow.ts';
import { createRestorePoint, listRestorePoints } from './restore-points.ts';

let db: Db;
let flowId: string;
const userId = 'ap-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
beforeEach(async () => {
  flowId = (await createFlow(db, userId, emptyFlow())).flow.id;
});

const sent: unknown[] = [];
const keep = (what: string, author: PointAuthor = 'the assistant') =>
  keepAutomaticPoint(
    { storage: async () => db, events: { send: (of, event) => void sent.push([of, event]) } },
    { userId, flowId, author, what },
  );
const names = async () => (await listRestorePoints(db, flowId)).map(({ name }) => name);

it('names a point after its author and reason, on one short line, and tells open pages', async () => {
  const id = await keep(`Build a\n\n shop ${'x'.repeat(100)}`);
  const [point] = await listRestorePoints(db, flowId);
  expect([point?.id, point?.name]).toEqual([
    id,
    `Before the assistant: ${`Build a shop ${'x'.repeat(100)}`.slice(0, 80)}`,
  ]);
  expect(sent).toEqual([[userId, { event: 'flows', data: { id: flowId, version: 1 } }]]);
});

it('makes room among the points of the same author, and removes none of others', async () => {
  await createRestorePoint(db, { userId, flowId, name: 'mine' });
  await keep('other', 'an MCP client');
  for (let count = 0; count < 21; count++) await keep(`change ${count}`);
  const all = await names();
  const own = all.filter((name) => name.startsWith('Before the assistant: '));
  expect([own.length, own[0], own.at(-1)]).toEqual([
    20,
    'Before the assistant: change 20',
    'Before the assistant: change 1',
  ]);
  expect(all).toEqual(expect.arrayContaining(['mine', 'Before an MCP client: other']));
});
