import { emptyFlow, FlowError } from '@croft/flow';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { flow, flowShare } from '../store/flow-schema.ts';
import { createFlow } from './create-flow.ts';
import {
  accessOf,
  audienceOf,
  canReadFlow,
  getFlow,
  lockFlow,
  lockOwnFlow,
  readDocument,
  requireFlow,
  requireVersion,
} from './get-flow.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['gf-ann', 'gf-bob', 'gf-cid', 'gf-dan']);

/** A flow of Ann, which Bob may read and Cid edit. */
async function sharedFlow(): Promise<string> {
  const { id } = (await createFlow(db, 'gf-ann', emptyFlow('Shop'))).flow;
  await db.insert(flowShare).values([
    { flowId: id, userId: 'gf-bob', access: 'read', createdAt: new Date() },
    { flowId: id, userId: 'gf-cid', access: 'edit', createdAt: new Date() },
  ]);
  return id;
}
const lock = (userId: string, id: string) => db.transaction((tx) => lockFlow(tx, userId, id));
const lockOwn = (userId: string, id: string) => db.transaction((tx) => lockOwnFlow(tx, userId, id));
const missing = { status: 404, code: 'not_found', message: 'You have no such flow.' };

it('gives a flow to its owner and to those it is shared with, and to no other user', async () => {
  const id = await sharedFlow();
  const accesses = await Promise.all(
    ['gf-ann', 'gf-bob', 'gf-cid', 'gf-dan'].map(async (user) => (await getFlow(db, user, id))?.access),
  );
  expect(accesses).toEqual(['owner', 'read', 'edit', undefined]);
  expect(await getFlow(db, 'gf-ann', id)).toMatchObject({
    id,
    ownerId: 'gf-ann',
    name: 'Shop',
    version: 1,
    document: { name: 'Shop' },
  });
  expect([await canReadFlow(db, 'gf-bob', id), await canReadFlow(db, 'gf-dan', id)]).toEqual([true, false]);
  expect(await requireVersion(db, 'gf-cid', id)).toBe(1);
  await expect(requireVersion(db, 'gf-dan', id)).rejects.toMatchObject(missing);
  await expect(requireFlow(db, 'gf-dan', id)).rejects.toMatchObject(missing);
  await expect(requireFlow(db, 'gf-ann', 'none')).rejects.toMatchObject(missing);
});

it('locks a flow only for users who may change it', async () => {
  const id = await sharedFlow();
  expect(await lock('gf-ann', id)).toMatchObject({ access: 'owner', othersEdited: false });
  expect(await lock('gf-cid', id)).toMatchObject({ access: 'edit' });
  await expect(lock('gf-bob', id)).rejects.toMatchObject({
    status: 403,
    code: 'read_only',
    message: 'You may read this flow but not change it. Duplicate it to change a copy.',
  });
  await expect(lock('gf-dan', id)).rejects.toMatchObject(missing);
});

it('locks a flow for its owner alone', async () => {
  const id = await sharedFlow();
  expect(await lockOwn('gf-ann', id)).toEqual({ version: 1 });
  await expect(lockOwn('gf-cid', id)).rejects.toMatchObject({
    status: 403,
    code: 'forbidden',
    message: 'Only the owner of this flow can do this.',
  });
  await expect(lockOwn('gf-dan', id)).rejects.toMatchObject(missing);
});

it('gives a deleted flow to none of them', async () => {
  const id = await sharedFlow();
  await db.update(flow).set({ deletedAt: new Date() }).where(eq(flow.id, id));
  for (const user of ['gf-ann', 'gf-bob']) {
    expect([await getFlow(db, user, id), await canReadFlow(db, user, id)]).toEqual([undefined, false]);
    await expect(lock(user, id)).rejects.toMatchObject(missing);
    await expect(lockOwn(user, id)).rejects.toMatchObject(missing);
  }
});

it('names everyone whose pages show a flow', async () => {
  const id = await sharedFlow();
  expect((await audienceOf(db, id)).sort()).toEqual(['gf-ann', 'gf-bob', 'gf-cid']);
  expect(await audienceOf(db, 'none')).toEqual([]);
});

it('takes an unknown right for the right to read', () => {
  expect([
    accessOf('a', null, 'a'),
    accessOf('a', 'edit', 'b'),
    accessOf('a', 'admin', 'b'),
    accessOf('a', null, 'b'),
  ]).toEqual(['owner', 'edit', 'read', 'read']);
});

it('refuses a document of a newer Croft', async () => {
  const id = await sharedFlow();
  await db
    .update(flow)
    .set({ document: JSON.stringify({ ...emptyFlow(), version: 99 }) })
    .where(eq(flow.id, id));
  await expect(getFlow(db, 'gf-ann', id)).rejects.toMatchObject({ code: 'newer_version' });
});

it('reads a document as it is stored, and lifts one of an older version', async () => {
  const document = { ...emptyFlow('Old'), description: 'About' };
  expect(await readDocument(JSON.stringify({ ...document, extra: 1 }))).toEqual({ ...document, extra: 1 });
  await expect(readDocument(JSON.stringify({ ...document, version: 0 }))).rejects.toBeInstanceOf(FlowError);
});

it('gives what a change needs to know of a flow', async () => {
  const id = await sharedFlow();
  const [row] = await db.select().from(flow).where(eq(flow.id, id));
  const { documentBytes, editBytes, storedBytes, createdAt, updatedAt } = row!;
  const summary = { id, ownerId: 'gf-ann', name: 'Shop', description: '', version: 1, createdAt, updatedAt };
  const document = emptyFlow('Shop');
  expect(await getFlow(db, 'gf-cid', id)).toEqual({ ...summary, access: 'edit', document, documentBytes });
  expect(await lock('gf-cid', id)).toEqual({
    ...summary,
    access: 'edit',
    document,
    documentBytes,
    editBytes,
    storedBytes,
    othersEdited: false,
  });
});
