import { emptyFlow } from '@croft/flow';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import type { Db } from '../store/database.ts';
import { flow, webhook } from '../store/flow-schema.ts';
import { fitRestoredWebhooks, requireWebhookRoom } from './webhook-room.ts';

let db: Db;
let flowId: string;
useSharedDatabase((database) => void (db = database.db), ['wr-ann', 'wr-bob', 'wr-cid']);
beforeEach(async () => {
  for (const userId of ['wr-ann', 'wr-bob', 'wr-cid']) await db.delete(webhook).where(eq(webhook.userId, userId));
  flowId = (await createFlow(db, 'wr-ann', emptyFlow())).flow.id;
});

const add = (userId: string, of: string, count: number) =>
  db.execute(sql`INSERT INTO webhook (id, user_id, flow_id, name, is_on, sealed, key_id)
    SELECT gen_random_uuid()::text, ${userId}, ${of}, 'x', true, '', 'k' FROM generate_series(1, ${count}::int)`);
const countOf = async (userId: string) => db.$count(webhook, eq(webhook.userId, userId));
const require = (userId: string) => db.transaction((tx) => requireWebhookRoom(tx, userId));
const fit = () => db.transaction((tx) => fitRestoredWebhooks(tx, 'wr-ann', flowId));
const full = { code: 'quota_exceeded' };

it('allows each user a hundred webhooks', async () => {
  await add('wr-ann', flowId, 99);
  await require('wr-ann');
  await add('wr-ann', flowId, 1);
  await expect(require('wr-ann')).rejects.toMatchObject(full);
  await require('wr-bob');
});

it('does not count those of deleted flows', async () => {
  await add('wr-ann', flowId, 100);
  await db.update(flow).set({ deletedAt: new Date() }).where(eq(flow.id, flowId));
  await require('wr-ann');
});

it('restores no flow whose owner would have too many', async () => {
  const other = (await createFlow(db, 'wr-ann', emptyFlow())).flow.id;
  await add('wr-ann', other, 60);
  await add('wr-ann', flowId, 40);
  await fit();
  await add('wr-ann', flowId, 2);
  await expect(fit()).rejects.toMatchObject({ ...full, message: expect.stringContaining('2 webhooks too many') });
});

it('deletes those of other users who have too many then, and no others', async () => {
  const other = (await createFlow(db, 'wr-bob', emptyFlow())).flow.id;
  await add('wr-bob', other, 99);
  await add('wr-bob', flowId, 2);
  await add('wr-cid', flowId, 3);
  await add('wr-ann', flowId, 1);
  await fit();
  expect([await countOf('wr-bob'), await countOf('wr-cid'), await countOf('wr-ann')]).toEqual([99, 3, 1]);
});
