import { and, asc, count, eq, ne } from 'drizzle-orm';
import { LOCAL_USER_ID } from '../local-user.ts';
import { notFound, Problem } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { flowShare } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';
import { announceFlow, type FlowNotice, noticeOf } from './announce-flow.ts';
import { FLOW_LIMITS } from './flow-limits.ts';
import { lockOwnFlow, noFlow, requireFlow } from './get-flow.ts';

/** A user who may read or edit a flow of another user. */
export interface Share {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly access: 'read' | 'edit';
}

/** Lists the users with whom a flow is shared, by name. @throws Problem `not_found`, `forbidden` if the user is not its owner */
export async function listShares(db: Db, userId: string, flowId: string): Promise<Share[]> {
  const { access } = await requireFlow(db, userId, flowId);
  if (access !== 'owner') throw new Problem(403, 'forbidden', 'Only the owner of this flow can do this.');
  const rows = await db
    .select({ userId: user.id, name: user.name, email: user.email, access: flowShare.access })
    .from(flowShare)
    .innerJoin(user, eq(user.id, flowShare.userId))
    .where(eq(flowShare.flowId, flowId))
    .orderBy(asc(user.name), asc(user.id));
  return rows.map((row) => ({ ...row, access: row.access === 'edit' ? 'edit' : 'read' }));
}

/**
 * Lets another user read or edit a flow, or changes what that user may do.
 *
 * @param request `email`: of the other user
 * @throws Problem `not_found` also for an unknown or disabled user, `forbidden`, `invalid`, `quota_exceeded`
 */
export async function shareFlow(
  db: Db,
  request: {
    readonly userId: string;
    readonly flowId: string;
    readonly email: string;
    readonly access: 'read' | 'edit';
  },
): Promise<{ share: Share; notice: FlowNotice }> {
  const { userId, flowId, email, access } = request;
  return db.transaction(async (tx) => {
    const { version } = await lockOwnFlow(tx, userId, flowId);
    const [other] = await tx
      .select({ id: user.id, name: user.name, email: user.email })
      .from(user)
      .where(and(eq(user.email, email), eq(user.banned, false), ne(user.id, LOCAL_USER_ID)));
    if (other === undefined) throw notFound('There is no such user. Check the e-mail address.');
    if (other.id === userId) throw new Problem(400, 'invalid', 'user: The flow is yours already.');
    const [shared] = await tx
      .select({ count: count() })
      .from(flowShare)
      .where(and(eq(flowShare.flowId, flowId), ne(flowShare.userId, other.id)));
    if ((shared?.count ?? 0) >= FLOW_LIMITS.shares)
      throw new Problem(507, 'quota_exceeded', `A flow can be shared with at most ${FLOW_LIMITS.shares} users.`);
    await tx
      .insert(flowShare)
      .values({ flowId, userId: other.id, access, createdAt: new Date() })
      .onConflictDoUpdate({ target: [flowShare.flowId, flowShare.userId], set: { access } });
    const notice = await noticeOf(tx, flowId, version);
    await announceFlow(tx, notice);
    const { id, ...shown } = other;
    return { share: { ...shown, userId: id, access }, notice };
  });
}

/**
 * Ends a share: the owner for any user, a user for themselves. The next request of that user is refused.
 *
 * @throws Problem `not_found`, `forbidden`
 */
export async function unshareFlow(
  db: Db,
  request: { readonly userId: string; readonly flowId: string; readonly otherId: string },
): Promise<FlowNotice[]> {
  const { userId, flowId, otherId } = request;
  return db.transaction(async (tx) => {
    const { version } = userId === otherId ? await leave(tx, userId, flowId) : await lockOwnFlow(tx, userId, flowId);
    const ended = await tx
      .delete(flowShare)
      .where(and(eq(flowShare.flowId, flowId), eq(flowShare.userId, otherId)))
      .returning({ userId: flowShare.userId });
    if (ended.length === 0) throw notFound('The flow is not shared with this user.');
    const notices = [{ id: flowId, version: null, userIds: [otherId] }, await noticeOf(tx, flowId, version)];
    for (const notice of notices) await announceFlow(tx, notice);
    return notices;
  });
}

async function leave(tx: Transaction, userId: string, flowId: string): Promise<{ version: number }> {
  const found = await requireFlow(tx, userId, flowId);
  if (found.access === 'owner') throw noFlow();
  return found;
}
