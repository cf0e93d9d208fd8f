import { randomBytes } from 'node:crypto';
import type { FlowDocument } from '@croft/flow';
import { and, eq, isNull } from 'drizzle-orm';
import { approveSeen } from '../flows/approve-flow.ts';
import { lockOwnFlow, requireFlow } from '../flows/get-flow.ts';
import type { Caller } from '../identity.ts';
import { isOfThisMode } from '../local-user.ts';
import { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import { flow, flowLink } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';

/** A public link as the owner of its flow sees it. */
export interface FlowLink {
  readonly id: string;
  readonly createdAt: Date;
}

/** The flow of a link, for visitors. */
export interface LinkedFlow {
  readonly flowId: string;
  /** Their runs use the variables and files of this user. */
  readonly ownerId: string;
}

const ID_BYTES = 16;

/** The link of the user's own flow. @throws Problem `not_found`, `forbidden` */
export async function findLink(db: Db, userId: string, flowId: string): Promise<FlowLink | undefined> {
  const { access } = await requireFlow(db, userId, flowId);
  if (access !== 'owner') throw new Problem(403, 'forbidden', 'Only the owner of this flow can do this.');
  const [row] = await db.select().from(flowLink).where(eq(flowLink.flowId, flowId));
  return row;
}

/**
 * Makes the link of the user's own flow, or returns the one it has. Approves the version that the caller has seen; see
 * `approveSeen`.
 *
 * @throws Problem `not_found`, `forbidden`, `invalid`, `changed`
 */
export async function addLink(
  db: Db,
  caller: Pick<Caller, 'userId' | 'via'>,
  flowId: string,
  seen: number | undefined,
): Promise<FlowLink> {
  const { userId } = caller;
  const { document } = await requireFlow(db, userId, flowId);
  if (!takesMessages(document))
    throw new Problem(400, 'invalid', 'The page of a public link is a chat: add a Chat input to the flow first.');
  return db.transaction(async (tx) => {
    await lockOwnFlow(tx, userId, flowId);
    await approveSeen(tx, caller, flowId, seen);
    const [known] = await tx.select().from(flowLink).where(eq(flowLink.flowId, flowId));
    if (known !== undefined) return known;
    const row = { id: randomBytes(ID_BYTES).toString('base64url'), flowId, createdAt: new Date() };
    await tx.insert(flowLink).values(row);
    return row;
  });
}

/** Removes the link of the user's own flow, where there is one. @throws Problem `not_found`, `forbidden` */
export async function removeLink(db: Db, userId: string, flowId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOwnFlow(tx, userId, flowId);
    await tx.delete(flowLink).where(eq(flowLink.flowId, flowId));
  });
}

/**
 * The flow of a link, unless the flow is deleted, or its owner may not make links any more: is disabled, not an admin, or a user of the
 * other mode.
 */
export async function openLink(
  db: Db,
  id: string,
  mode: { readonly autoLogin: boolean },
): Promise<LinkedFlow | undefined> {
  const [row] = await db
    .select({ flowId: flow.id, ownerId: flow.userId })
    .from(flowLink)
    .innerJoin(flow, eq(flow.id, flowLink.flowId))
    .innerJoin(user, eq(user.id, flow.userId))
    .where(and(eq(flowLink.id, id), isNull(flow.deletedAt), eq(user.banned, false), eq(user.role, 'admin')));
  return row && isOfThisMode(row.ownerId, mode) ? row : undefined;
}

const takesMessages = ({ nodes }: FlowDocument): boolean => nodes.some(({ type }) => type === 'ChatInput');
