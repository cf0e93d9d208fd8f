import { emptyFlow } from '@croft/flow';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { LOCAL_USER_ID } from '../local-user.ts';
import type { Db } from '../store/database.ts';
import { user } from '../store/schema.ts';
import { createFlow } from './create-flow.ts';
import { FLOW_LIMITS } from './flow-limits.ts';
import { getFlow } from './get-flow.ts';
import { listShares, shareFlow, unshareFlow } from './share-flow.ts';

let db: Db;
let flowId: string;
useSharedDatabase((database) => void (db = database.db), ['sf-ann', 'sf-bob', 'sf-cid', 'sf-off']);
beforeEach(async () => {
  flowId = (await createFlow(db, 'sf-ann', emptyFlow('Shop'))).flow.id;
});

const share = (email: string, access: 'read' | 'edit' = 'read', userId = 'sf-ann') =>
  shareFlow(db, { userId, flowId, email: `${email}@example.test`, access });
const unshare = (userId: string, otherId: string) => unshareFlow(db, { userId, flowId, otherId });
const accessOf = async (userId: string) => (await getFlow(db, userId, flowId))?.access;

it('lets another user read or edit, and changes what the user may do', async () => {
  const { share: made, notice } = await share('sf-bob');
  expect(made).toEqual({ userId: 'sf-bob', name: 'sf-bob', email: 'sf-bob@example.test', access: 'read' });
  expect([notice.id, notice.version, [...notice.userIds].sort()]).toEqual([flowId, 1, ['sf-ann', 'sf-bob']]);
  expect(await accessOf('sf-bob')).toBe('read');
  await share('sf-bob', 'edit');
  expect([await accessOf('sf-bob'), await accessOf('sf-cid')]).toEqual(['edit', undefined]);
  await share('sf-cid');
  expect((await listShares(db, 'sf-ann', flowId)).map(({ userId, access }) => [userId, access])).toEqual([
    ['sf-bob', 'edit'],
    ['sf-cid', 'read'],
  ]);
});

it('lets only the owner share, and see with whom', async () => {
  await share('sf-bob', 'edit');
  const forbidden = { status: 403, code: 'forbidden', message: 'Only the owner of this flow can do this.' };
  await expect(share('sf-cid', 'read', 'sf-bob')).rejects.toMatchObject(forbidden);
  await expect(listShares(db, 'sf-bob', flowId)).rejects.toMatchObject(forbidden);
  await expect(unshare('sf-bob', 'sf-cid')).rejects.toMatchObject(forbidden);
  await expect(share('sf-bob', 'read', 'sf-cid')).rejects.toMatchObject({ code: 'not_found' });
  await expect(listShares(db, 'sf-cid', flowId)).rejects.toMatchObject({ code: 'not_found' });
});

it('says the same for an unknown user, a disabled one and the local one', async () => {
  await db.update(user).set({ banned: true }).where(eq(user.id, 'sf-off'));
  await db.insert(user).values({ id: LOCAL_USER_ID, name: 'x', email: 'sf-local@example.test' }).onConflictDoNothing();
  for (const email of ['sf-nobody', 'sf-off', 'sf-local'])
    await expect(share(email)).rejects.toMatchObject({
      status: 404,
      message: 'There is no such user. Check the e-mail address.',
    });
  await expect(share('sf-ann')).rejects.toMatchObject({
    status: 400,
    code: 'invalid',
    message: 'user: The flow is yours already.',
  });
});

it('shares a flow with a bounded number of users', async () => {
  await db.execute(sql`INSERT INTO "user" (id, name, email) SELECT 'sf-many-' || n, 'n', 'sf-many-' || n || '@example.test'
    FROM generate_series(1, ${FLOW_LIMITS.shares}) AS n ON CONFLICT DO NOTHING`);
  await db.execute(sql`INSERT INTO flow_share (flow_id, user_id, access, created_at) SELECT ${flowId}, 'sf-many-' || n, 'read', now()
    FROM generate_series(1, ${FLOW_LIMITS.shares - 1}) AS n`);
  await share('sf-bob');
  await share('sf-bob', 'edit');
  await expect(share('sf-cid')).rejects.toMatchObject({
    status: 507,
    code: 'quota_exceeded',
    message: 'A flow can be shared with at most 100 users.',
  });
});

it('ends a share by the owner, or by the user for themselves, and tells both', async () => {
  await share('sf-bob');
  await share('sf-cid');
  const [gone, left] = await unshare('sf-ann', 'sf-bob');
  expect(gone).toEqual({ id: flowId, version: null, userIds: ['sf-bob'] });
  expect([left?.version, [...(left?.userIds ?? [])].sort()]).toEqual([1, ['sf-ann', 'sf-cid']]);
  await unshare('sf-cid', 'sf-cid');
  expect([await accessOf('sf-bob'), await accessOf('sf-cid')]).toEqual([undefined, undefined]);
  const missing = { code: 'not_found' };
  await expect(unshare('sf-ann', 'sf-bob')).rejects.toMatchObject({
    ...missing,
    message: 'The flow is not shared with this user.',
  });
  await expect(unshare('sf-cid', 'sf-cid')).rejects.toMatchObject(missing);
  await expect(unshare('sf-ann', 'sf-ann')).rejects.toMatchObject(missing);
});

it('lists shares by the names of their users, and tells the others where a user leaves', async () => {
  await share('sf-cid', 'edit');
  await share('sf-bob');
  await db.update(user).set({ name: 'zoe' }).where(eq(user.id, 'sf-bob'));
  expect(await listShares(db, 'sf-ann', flowId)).toEqual([
    { userId: 'sf-cid', name: 'sf-cid', email: 'sf-cid@example.test', access: 'edit' },
    { userId: 'sf-bob', name: 'zoe', email: 'sf-bob@example.test', access: 'read' },
  ]);
  await db.update(user).set({ name: 'sf-cid' }).where(eq(user.id, 'sf-bob'));
  expect((await listShares(db, 'sf-ann', flowId)).map(({ userId }) => userId)).toEqual(['sf-bob', 'sf-cid']);
  await db.update(user).set({ name: 'sf-bob' }).where(eq(user.id, 'sf-bob'));
  const [gone, left] = await unshare('sf-bob', 'sf-bob');
  expect(gone).toEqual({ id: flowId, version: null, userIds: ['sf-bob'] });
  expect({ ...left, userIds: [...(left?.userIds ?? [])].sort() }).toEqual({
    id: flowId,
    version: 1,
    userIds: ['sf-ann', 'sf-cid'],
  });
});
