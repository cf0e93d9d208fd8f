import { emptyFlow } from '@croft/flow';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { flow } from '../store/flow-schema.ts';
import { createFlow } from './create-flow.ts';
import { editFlow } from './edit-flow.ts';
import { FLOW_LIMITS } from './flow-limits.ts';
import { getFlow } from './get-flow.ts';
import {
  createRestorePoint,
  deleteRestorePoint,
  getRestorePoint,
  listRestorePoints,
  restoreFlow,
} from './restore-points.ts';
import { shareFlow } from './share-flow.ts';
import { revertOwnEdit } from './undo-edit.ts';

let db: Db;
let flowId: string;
const userId = 'rp-ann';
useSharedDatabase((database) => void (db = database.db), [userId, 'rp-bob']);
beforeEach(async () => {
  flowId = (await createFlow(db, userId, emptyFlow('One'))).flow.id;
});

const keep = (name: string, by = userId) => createRestorePoint(db, { userId: by, flowId, name });
const rename = (base: number, name: string) =>
  editFlow(db, { userId, flowId, base, edits: [{ kind: 'set_details', name }] });
const nameNow = async () => (await getFlow(db, userId, flowId))?.document.name;
const storedBytes = async () =>
  (await db.select({ bytes: flow.storedBytes }).from(flow).where(eq(flow.id, flowId)))[0]?.bytes ?? 0;

it('keeps the present document, with its author and size, the newest first', async () => {
  const { id, notice } = await keep('before');
  await rename(1, 'Two');
  await keep('after');
  const [after, before] = await listRestorePoints(db, flowId);
  expect([after?.name, after?.version]).toEqual(['after', 2]);
  expect(before).toMatchObject({ id, name: 'before', version: 1, author: 'rp-ann', bytes: expect.any(Number) });
  expect(notice).toEqual({ id: flowId, version: 1, userIds: [userId] });
  expect(await getRestorePoint(db, flowId, id)).toMatchObject({ document: { name: 'One' } });
});

it('gives a flow the kept document as one edit, which can be undone', async () => {
  const { id } = await keep('before');
  await rename(1, 'Two');
  await rename(2, 'Three');
  const { version, between } = await restoreFlow(db, { userId, flowId, id, base: 2 });
  expect([await nameNow(), version, between.length]).toEqual(['One', 4, 1]);
  await revertOwnEdit(db, { userId, flowId, base: 4, kind: 'undo' });
  expect(await nameNow()).toBe('Three');
});

it('counts points in the bytes of the owner, until they are deleted', async () => {
  const before = await storedBytes();
  const { id } = await keep('x');
  const [point] = await listRestorePoints(db, flowId);
  expect(await storedBytes()).toBe(before + (point?.bytes ?? 0));
  await deleteRestorePoint(db, { userId, flowId, id });
  expect([await storedBytes(), await listRestorePoints(db, flowId)]).toEqual([before, []]);
  await expect(deleteRestorePoint(db, { userId, flowId, id })).rejects.toMatchObject({ code: 'not_found' });
});

it('finds a point only in its own flow, and changes none for a user who may only read', async () => {
  const { id } = await keep('x');
  const other = (await createFlow(db, userId, emptyFlow('Other'))).flow.id;
  const missing = { code: 'not_found' };
  await expect(getRestorePoint(db, other, id)).rejects.toMatchObject(missing);
  await expect(restoreFlow(db, { userId, flowId: other, id, base: 1 })).rejects.toMatchObject(missing);
  await expect(deleteRestorePoint(db, { userId, flowId: other, id })).rejects.toMatchObject(missing);
  await expect(keep('x', 'rp-bob')).rejects.toMatchObject(missing);
  await shareFlow(db, { userId, flowId, email: 'rp-bob@example.test', access: 'read' });
  const refused = { code: 'read_only' };
  await expect(keep('x', 'rp-bob')).rejects.toMatchObject(refused);
  await expect(restoreFlow(db, { userId: 'rp-bob', flowId, id, base: 1 })).rejects.toMatchObject(refused);
  await expect(deleteRestorePoint(db, { userId: 'rp-bob', flowId, id })).rejects.toMatchObject(refused);
});

it('keeps a bounded number of points, and of bytes', async () => {
  await db.execute(sql`INSERT INTO flow_restore_point (id, flow_id, user_id, name, version, document, bytes, created_at)
    SELECT gen_random_uuid()::text, ${flowId}, ${userId}, 'p', 1, '{}', 1, now() FROM generate_series(1, ${FLOW_LIMITS.restorePoints - 1})`);
  await keep('last');
  await expect(keep('too many')).rejects.toMatchObject({ status: 507, code: 'quota_exceeded' });
  const other = (await createFlow(db, 'rp-bob', emptyFlow())).flow.id;
  await db.update(flow).set({ storedBytes: FLOW_LIMITS.bytesOfUser }).where(eq(flow.id, other));
  const full = createRestorePoint(db, { userId: 'rp-bob', flowId: other, name: 'x' });
  await expect(full).rejects.toMatchObject({ code: 'quota_exceeded' });
});
