import { createSealer } from '@croft/runs/sealer';
import { emptyFlow } from '@croft/flow';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { isApproved } from '../flows/approve-flow.ts';
import { createFlow } from '../flows/create-flow.ts';
import { editFlow } from '../flows/edit-flow.ts';
import { shareFlow } from '../flows/share-flow.ts';
import type { Db } from '../store/database.ts';
import { flow, webhook } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

let db: Db;
let flowId: string;
let webhooks: Webhooks;
useSharedDatabase((database) => void (db = database.db), ['wh-ann', 'wh-bob']);
const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const open = (sealer = createSealer([key('k1', 1)]), autoLogin = false) =>
  createWebhooks(async () => db, sealer, { autoLogin });
const ANN = { userId: 'wh-ann', via: 'session' } as const;
beforeEach(async () => {
  await db.delete(webhook);
  flowId = (await createFlow(db, 'wh-ann', emptyFlow())).flow.id;
  webhooks = open();
});

const add = (name = 'Hook', version?: number) => webhooks.add(ANN, flowId, { name, version });

it('gives the secret once, and stores it encrypted', async () => {
  const { webhook: made, secret } = await add();
  expect(made).toMatchObject({ flowId, name: 'Hook', isOn: true, lastAt: null, lastRun: null, failure: null });
  expect(made.id).toMatch(/^[\w-]{22}$/);
  expect(await webhooks.open(made.id)).toEqual({ id: made.id, userId: 'wh-ann', flowId, secret });
  expect(JSON.stringify(await webhooks.list('wh-ann'))).not.toContain(secret);
  expect(JSON.stringify(await db.select().from(webhook))).not.toContain(secret);
});

it('reaches only webhooks of the user', async () => {
  const { webhook: made } = await add();
  const bob = { userId: 'wh-bob', via: 'session' } as const;
  expect([await webhooks.list('wh-bob'), await webhooks.find('wh-bob', made.id)]).toEqual([[], undefined]);
  expect([await webhooks.rotate('wh-bob', made.id), await webhooks.remove('wh-bob', made.id)]).toEqual([
    undefined,
    false,
  ]);
  expect(await webhooks.change(bob, made.id, { isOn: false })).toBeUndefined();
  await expect(webhooks.add(bob, flowId, { name: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  expect([await webhooks.find('wh-ann', made.id), await webhooks.remove('wh-ann', made.id)]).toMatchObject([
    { isOn: true },
    true,
  ]);
});

it('lists webhooks, the oldest first, of one flow or all', async () => {
  const other = (await createFlow(db, 'wh-ann', emptyFlow())).flow.id;
  await add('a');
  await webhooks.add(ANN, other, { name: 'b' });
  await add('c');
  const names = async (of?: string) => (await webhooks.list('wh-ann', of)).map(({ name }) => name);
  expect([await names(), await names(flowId)]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'c'],
  ]);
});

it('opens none that is off, of a user who may not sign in, or of a deleted flow', async () => {
  const { webhook: made } = await add();
  const isOpen = async () => (await webhooks.open(made.id)) !== undefined;
  expect([await isOpen(), await webhooks.open('none')]).toEqual([true, undefined]);
  await webhooks.change(ANN, made.id, { isOn: false });
  expect(await isOpen()).toBe(false);
  await webhooks.change(ANN, made.id, { isOn: true, name: 'New' });
  expect([await isOpen(), (await webhooks.find('wh-ann', made.id))?.name]).toEqual([true, 'New']);
  await db.update(user).set({ banned: true }).where(eq(user.id, 'wh-ann'));
  expect(await isOpen()).toBe(false);
  await db.update(user).set({ banned: false }).where(eq(user.id, 'wh-ann'));
  expect(await open(undefined, true).open(made.id)).toBeUndefined();
  await db.update(flow).set({ deletedAt: new Date() }).where(eq(flow.id, flowId));
  expect([await isOpen(), await webhooks.list('wh-ann')]).toEqual([false, []]);
});

it('stops the old secret at once when it is replaced', async () => {
  const { webhook: made, secret } = await add();
  await webhooks.note(made.id, { failure: 'broken' });
  const next = await webhooks.rotate('wh-ann', made.id);
  expect([next === secret, (await webhooks.open(made.id))?.secret]).toEqual([false, next]);
  expect((await webhooks.find('wh-ann', made.id))?.failure).toBeNull();
});

it('keeps the outcome of the last delivery', async () => {
  const { webhook: made } = await add();
  await webhooks.note(made.id, { failure: 'x'.repeat(600) });
  expect(await webhooks.find('wh-ann', made.id)).toMatchObject({
    failure: 'x'.repeat(500),
    lastRun: null,
    lastAt: expect.any(Date),
  });
  await webhooks.note(made.id, { runId: 'run-1' });
  expect(await webhooks.find('wh-ann', made.id)).toMatchObject({ failure: null, lastRun: 'run-1' });
  await webhooks.note(made.id, { failure: 'again' });
  expect(await webhooks.change(ANN, made.id, { isOn: false })).toMatchObject({ failure: 'again', lastRun: 'run-1' });
  expect(await webhooks.change(ANN, made.id, { isOn: true })).toMatchObject({ failure: null });
});

it('accepts the version that the user has seen, when it is made or turned on', async () => {
  await shareFlow(db, { userId: 'wh-ann', flowId, email: 'wh-bob@example.test', access: 'edit' });
  const edit = (base: number) =>
    editFlow(db, { userId: 'wh-bob', flowId, base, edits: [{ kind: 'set_details', name: `v${base}` }] });
  const isSafe = (version: number) => isApproved(db, 'wh-ann', { id: flowId, version });
  await edit(1);
  await expect(add('x', 1)).rejects.toMatchObject({ code: 'changed' });
  expect(await webhooks.list('wh-ann')).toEqual([]);
  const { webhook: made } = await add('x', 2);
  expect(await isSafe(2)).toBe(true);
  await edit(2);
  await webhooks.change(ANN, made.id, { isOn: false, version: 3 });
  expect(await isSafe(3)).toBe(false);
  await webhooks.change(ANN, made.id, { isOn: true, version: 3 });
  expect(await isSafe(3)).toBe(true);
});

it('encrypts secrets again with a new key, and counts those that no key opens', async () => {
  const { webhook: made, secret } = await add();
  await open(createSealer([key('lost', 9)])).add(ANN, flowId, { name: 'lost' });
  const both = open(createSealer([key('k2', 2), key('k1', 1)]));
  expect(await both.reseal()).toEqual({ resealed: 1, lost: 1 });
  expect(await both.reseal()).toEqual({ resealed: 0, lost: 1 });
  const after = open(createSealer([key('k2', 2)]));
  expect((await after.open(made.id))?.secret).toBe(secret);
  const lost = (await after.list('wh-ann')).find(({ name }) => name === 'lost');
  expect(lost?.failure).toMatch(/^The secret cannot be read\. .* Or make a new secret\.$/);
  expect(await after.open(lost?.id ?? '')).toBeUndefined();
});

it('does not open a secret that was copied to another webhook', async () => {
  const [one, two] = [await add('one'), await add('two')];
  const [row] = await db.select().from(webhook).where(eq(webhook.id, one.webhook.id));
  await db
    .update(webhook)
    .set({ sealed: row?.sealed ?? '' })
    .where(eq(webhook.id, two.webhook.id));
  expect(await webhooks.open(two.webhook.id)).toBeUndefined();
});

it('allows a user a bounded number of webhooks', async () => {
  const { webhook: made } = await add();
  const [row] = await db.select().from(webhook).where(eq(webhook.id, made.id));
  await db
    .insert(webhook)
    .values(Array.from({ length: 98 }, (_, at) => ({ ...(row as NonNullable<typeof row>), id: `wh-${at}` })));
  await add('hundredth');
  await expect(add('too many')).rejects.toMatchObject({ code: 'quota_exceeded' });
});
