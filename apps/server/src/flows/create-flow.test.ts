import { emptyFlow } from '@croft/flow';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { flow } from '../store/flow-schema.ts';
import { isApproved } from './approve-flow.ts';
import { checkRoom, createFlow, duplicateFlow, textOfDocument, usageOf } from './create-flow.ts';
import { FLOW_LIMITS } from './flow-limits.ts';
import { getFlow } from './get-flow.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['cf-ann', 'cf-bob', 'cf-cid', 'cf-dan']);

it('stores a flow at version 1, which its owner accepts, and announces it to the owner', async () => {
  const { flow: made, notice } = await createFlow(db, 'cf-ann', { ...emptyFlow('Größe'), description: 'About' });
  expect(made).toMatchObject({ ownerId: 'cf-ann', access: 'owner', name: 'Größe', description: 'About', version: 1 });
  expect(notice).toEqual({ id: made.id, version: 1, userIds: ['cf-ann'] });
  expect(await getFlow(db, 'cf-ann', made.id)).toMatchObject({
    document: { name: 'Größe' },
    documentBytes: made.documentBytes,
  });
  expect(await isApproved(db, 'cf-ann', made)).toBe(true);
  const { text, bytes } = await textOfDocument(made.document);
  expect([bytes, made.documentBytes]).toEqual([Buffer.byteLength(text), bytes]);
});

it('refuses a flow without a name, or that is too large', async () => {
  await expect(createFlow(db, 'cf-ann', emptyFlow('  '))).rejects.toMatchObject({ status: 400, code: 'invalid' });
  const large = { ...emptyFlow(), description: 'x'.repeat(FLOW_LIMITS.documentBytes) };
  await expect(createFlow(db, 'cf-ann', large)).rejects.toMatchObject({ status: 413, code: 'too_large' });
});

it('copies a flow that the user can read, under a name that fits', async () => {
  const { id } = (
    await createFlow(db, 'cf-ann', { ...emptyFlow('n'.repeat(FLOW_LIMITS.nameLength)), description: 'Kept' })
  ).flow;
  const { flow: copy } = await duplicateFlow(db, 'cf-ann', id);
  expect([copy.name.length, copy.name.endsWith('n (copy)'), copy.document.description]).toEqual([
    FLOW_LIMITS.nameLength,
    true,
    'Kept',
  ]);
  expect(copy.id).not.toBe(id);
  await expect(duplicateFlow(db, 'cf-bob', id)).rejects.toMatchObject({ code: 'not_found' });
});

it('counts what a user stores, without deleted flows', async () => {
  expect(await usageOf(db, 'cf-bob')).toEqual({ flows: 0, bytes: 0 });
  const made = (await createFlow(db, 'cf-bob', emptyFlow())).flow;
  const gone = (await createFlow(db, 'cf-bob', emptyFlow())).flow;
  await db.update(flow).set({ deletedAt: new Date() }).where(eq(flow.id, gone.id));
  expect(await usageOf(db, 'cf-bob')).toEqual({ flows: 1, bytes: made.documentBytes });
});

it('lets the flows of a user grow up to the limit, each user apart', async () => {
  const { id } = (await createFlow(db, 'cf-cid', emptyFlow())).flow;
  await db
    .update(flow)
    .set({ storedBytes: FLOW_LIMITS.bytesOfUser - 100 })
    .where(eq(flow.id, id));
  const grow = (userId: string, flows: number, bytes: number) =>
    db.transaction((tx) => checkRoom(tx, userId, { flows, bytes }));
  await grow('cf-cid', 0, 100);
  await expect(grow('cf-cid', 0, 101)).rejects.toMatchObject({ status: 507, code: 'quota_exceeded' });
  await grow('cf-cid', 0, -1);
  await grow('cf-dan', 1, 101);
  await grow('cf-dan', FLOW_LIMITS.flowsOfUser, 0);
  await expect(grow('cf-dan', FLOW_LIMITS.flowsOfUser + 1, 0)).rejects.toMatchObject({ code: 'quota_exceeded' });
});
