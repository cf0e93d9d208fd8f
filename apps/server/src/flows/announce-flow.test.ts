import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Database } from '../store/database.ts';
import { announceFlow, noticeOf, sendFlowChange } from './announce-flow.ts';
import { createFlow } from './create-flow.ts';
import { shareFlow } from './share-flow.ts';

let database: Database;
useSharedDatabase((opened) => void (database = opened), ['an-ann', 'an-bob']);

it('names everyone who can read the flow', async () => {
  const { db } = database;
  const { id } = (await createFlow(db, 'an-ann', emptyFlow())).flow;
  await shareFlow(db, { userId: 'an-ann', flowId: id, email: 'an-bob@example.test', access: 'read' });
  const notice = await noticeOf(db, id, 3);
  expect([notice.id, notice.version, [...notice.userIds].sort()]).toEqual([id, 3, ['an-ann', 'an-bob']]);
});

it('tells the other processes when the transaction commits, and nothing of one that fails', async () => {
  const client = await database.pool.connect();
  const heard: { flow?: unknown; kind?: string; userId?: string }[] = [];
  client.on('notification', ({ payload = '' }) => heard.push(JSON.parse(payload)));
  await client.query('LISTEN croft_changes');
  const notice = { id: 'an-flow', version: 2, userIds: ['an-ann'] };
  const failing = database.db.transaction(async (tx) => {
    await announceFlow(tx, { ...notice, id: 'an-none' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await database.db.transaction((tx) => announceFlow(tx, notice));
  await client.query('SELECT 1');
  await client.query('UNLISTEN croft_changes');
  client.removeAllListeners('notification');
  client.release();
  const own = heard.filter(({ kind }) => kind === 'flow');
  expect(own.map(({ flow, userId }) => [flow, userId])).toEqual([[notice, 'an-ann']]);
});

it('tells the open pages of each of these users', () => {
  const sent: unknown[] = [];
  const events = { send: (userId: string, event: unknown) => void sent.push([userId, event]) };
  sendFlowChange(events, { id: 'f', version: null, userIds: ['ann', 'bob'] });
  const event = { event: 'flows', data: { id: 'f', version: null } };
  expect(sent).toEqual([
    ['ann', event],
    ['bob', event],
  ]);
});
