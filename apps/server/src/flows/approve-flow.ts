import { and, eq, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../store/database.ts';
import { flow, flowApproval } from '../store/flow-schema.ts';

const ofUser = (userId: string, flowId: string) =>
  and(eq(flowApproval.flowId, flowId), eq(flowApproval.userId, userId));

/**
 * Notes that a user accepts a flow as it is now for runs that start by themselves, as schedules and webhooks do. They use the
 * keys and files of this user, so an edit by another user needs a new approval.
 */
export async function approveFlow(db: Db | Transaction, userId: string, flowId: string): Promise<void> {
  await db.execute(sql`
    INSERT INTO ${flowApproval} (flow_id, user_id, version)
    SELECT id, ${userId}, version FROM ${flow} WHERE id = ${flowId}
    ON CONFLICT (flow_id, user_id) DO UPDATE SET version = excluded.version`);
}

/** Whether no other user has changed the flow since the approval of this user. */
export async function isApproved(
  db: Db,
  userId: string,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<boolean> {
  const [found] = await db.select({ version: flowApproval.version }).from(flowApproval).where(ofUser(userId, id));
  return found?.version === version;
}

/** Moves the approval of a user to the version of their own edit, unless an edit of another user is below it. */
export async function keepApproval(
  tx: Transaction,
  userId: string,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<void> {
  await tx
    .update(flowApproval)
    .set({ version: version + 1 })
    .where(and(ofUser(userId, id), eq(flowApproval.version, version)));
}
