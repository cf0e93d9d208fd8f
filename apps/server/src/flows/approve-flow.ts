import { and, desc, eq, ne } from 'drizzle-orm';
import type { Caller } from '../identity.ts';
import { Problem } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { flowApproval, flowEdit } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';
import { requireVersion } from './get-flow.ts';

const ofUser = (userId: string, flowId: string) =>
  and(eq(flowApproval.flowId, flowId), eq(flowApproval.userId, userId));

/** Accepts the first version of a flow for the user who stores it. */
export async function approveNewFlow(tx: Transaction, userId: string, flowId: string): Promise<void> {
  await tx.insert(flowApproval).values({ flowId, userId, version: 1 });
}

/** The version of a flow, and the one that a user accepts; null for none. */
export interface FlowAcceptance {
  readonly version: number;
  readonly accepted: number | null;
  /** The name of the other user who changed the flow last; null where no other user did. */
  readonly changedBy: string | null;
}

/** Reads which version of a flow a user accepts. @throws Problem `not_found` */
export async function acceptanceOf(db: Db | Transaction, userId: string, flowId: string): Promise<FlowAcceptance> {
  const version = await requireVersion(db, userId, flowId);
  const [found] = await db.select({ version: flowApproval.version }).from(flowApproval).where(ofUser(userId, flowId));
  return { version, accepted: found?.version ?? null, changedBy: await lastOtherAuthor(db, userId, flowId) };
}

async function lastOtherAuthor(db: Db | Transaction, userId: string, flowId: string): Promise<string | null> {
  const [found] = await db
    .select({ name: user.name })
    .from(flowEdit)
    .innerJoin(user, eq(user.id, flowEdit.userId))
    .where(and(eq(flowEdit.flowId, flowId), ne(flowEdit.userId, userId)))
    .orderBy(desc(flowEdit.version))
    .limit(1);
  return found?.name ?? null;
}

/**
 * Accepts the version that the user has seen, for runs that the user does not start on its page: as a sub-flow, and by
 * schedules, webhooks, public links and programs with an API key. They use the keys and files of this user, so an edit by
 * another user needs a new approval.
 *
 * @throws Problem `not_found`; `changed` where the flow has another version now
 */
export async function acceptFlow(
  db: Db | Transaction,
  userId: string,
  flowId: string,
  seen: number,
): Promise<FlowAcceptance> {
  const version = await requireVersion(db, userId, flowId);
  if (version !== seen)
    throw new Problem(409, 'changed', `The flow has version ${version} now, and not ${seen}. Check it again.`);
  await db
    .insert(flowApproval)
    .values({ flowId, userId, version })
    .onConflictDoUpdate({ target: [flowApproval.flowId, flowApproval.userId], set: { version } });
  return { version, accepted: version, changedBy: await lastOtherAuthor(db, userId, flowId) };
}

/**
 * Accepts the version that a session has seen when it turns on a schedule, webhook or public link. An API key accepts nothing,
 * and neither does a request without a version: then the flow runs at the version that its user accepted before. A flow
 * without edits of other users since that version needs nothing.
 *
 * @throws Problem `not_found`; `changed` where another user stored a version that the caller has not seen
 */
export async function approveSeen(
  db: Db | Transaction,
  { userId, via }: Pick<Caller, 'userId' | 'via'>,
  flowId: string,
  seen: number | undefined,
): Promise<void> {
  const { version, accepted } = await acceptanceOf(db, userId, flowId);
  if (accepted === version || via === 'key' || seen === undefined) return;
  await acceptFlow(db, userId, flowId, seen);
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
