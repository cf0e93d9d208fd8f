import { createSealer } from '@croft/runs/sealer';
import { emptyFlow } from '@croft/flow';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlow } from '../flows/create-flow.ts';
import type { Db } from '../store/database.ts';
import { webhook, webhookListener } from '../store/flow-schema.ts';
import { createListeners, type WebhookListeners } from './listeners.ts';

let db: Db;
let listeners: WebhookListeners;
let id: string;
let count = 0;
useSharedDatabase((database) => void (db = database.db), ['wl-ann']);
const sealer = (fill = 1) => createSealer([{ id: 'k1', key: Buffer.alloc(32, fill) }]);
beforeEach(async () => {
  const flowId = (await createFlow(db, 'wl-ann', emptyFlow())).flow.id;
  id = `wl-${count++}`;
  await db.insert(webhook).values({ id, userId: 'wl-ann', flowId, name: 'x', isOn: true, sealed: '', keyId: 'k1' });
  listeners = createListeners(async () => db, sealer());
});

const request = { data: { a: 'canary' }, query: {}, headers: {} };
const now = () => listeners.read(id, 0, new AbortController().signal);
const expire = (agoMs: number) =>
  db
    .update(webhookListener)
    .set({ expiresAt: new Date(Date.now() - agoMs) })
    .where(eq(webhookListener.webhookId, id));

it('takes one request while it waits, and stores it encrypted', async () => {
  expect([await listeners.capture(id, request), await now()]).toEqual([false, undefined]);
  const expiresAt = await listeners.open(id, 60_000);
  expect(await now()).toEqual({ status: 'waiting', expiresAt, request: null });
  const taken = await Promise.all([listeners.capture(id, request), listeners.capture(id, request)]);
  expect(taken.sort()).toEqual([false, true]);
  expect(await now()).toMatchObject({
    status: 'captured',
    request: { ...request, receivedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  });
  expect(JSON.stringify(await db.select().from(webhookListener))).not.toContain('canary');
});

it('takes nothing once it has expired', async () => {
  await listeners.open(id, 60_000);
  await expire(1_000);
  expect([await listeners.capture(id, request), (await now())?.status]).toEqual([false, 'expired']);
  await expire(3_600_001);
  expect(await now()).toBeUndefined();
});

it('replaces an earlier listener with what it captured, and removes old ones', async () => {
  await listeners.open(id, 60_000);
  await listeners.capture(id, request);
  await listeners.open(id, 60_000);
  expect(await now()).toMatchObject({ status: 'waiting', request: null });
  await expire(3_700_000);
  const before = id;
  const flowId = (await createFlow(db, 'wl-ann', emptyFlow())).flow.id;
  await db
    .insert(webhook)
    .values({ id: `${id}-b`, userId: 'wl-ann', flowId, name: 'x', isOn: true, sealed: '', keyId: 'k1' });
  await listeners.open(`${id}-b`, 60_000);
  expect(await db.select().from(webhookListener).where(eq(webhookListener.webhookId, before))).toEqual([]);
});

it('waits for a request, until it comes, the time is over or the reader leaves', async () => {
  await listeners.open(id, 60_000);
  const reading = listeners.read(id, 60_000, new AbortController().signal);
  await listeners.capture(id, request);
  expect((await reading)?.status).toBe('captured');
  await listeners.open(id, 60_000);
  const stop = new AbortController();
  const left = listeners.read(id, 60_000, stop.signal);
  stop.abort();
  expect((await left)?.status).toBe('waiting');
});

it('opens a captured request only with its key and for its webhook', async () => {
  await listeners.open(id, 60_000);
  await listeners.capture(id, request);
  const other = createListeners(async () => db, sealer(2));
  await expect(other.read(id, 0, new AbortController().signal)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The captured request cannot be read. Listen again.',
  });
});

it('closes', async () => {
  await listeners.open(id, 60_000);
  expect([await listeners.close(id), await listeners.close(id), await now()]).toEqual([true, false, undefined]);
});
