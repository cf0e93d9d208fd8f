import { randomUUID } from 'node:crypto';
import { contentOf, type FlowDocument } from '@croft/flow';
import { and, count, desc, eq } from 'drizzle-orm';
import { notFound, Problem } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { flow, flowRestorePoint } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';
import { announceFlow, type FlowNotice, noticeOf } from './announce-flow.ts';
import { checkRoom } from './create-flow.ts';
import { applyToFlow, editsAfter, type FlowChange } from './edit-flow.ts';
import { FLOW_LIMITS } from './flow-limits.ts';
import { type LockedFlow, readDocument } from './get-flow.ts';
import { withLockedFlow } from './locked-flow.ts';

/** A kept document of a flow, without the document. */
export interface RestorePoint {
  readonly id: string;
  readonly name: string;
  /** The version of the flow that was kept. */
  readonly version: number;
  /** Null: the author was removed. */
  readonly author: string | null;
  readonly bytes: number;
  readonly createdAt: Date;
}

const COLUMNS = {
  id: flowRestorePoint.id,
  name: flowRestorePoint.name,
  version: flowRestorePoint.version,
  author: user.name,
  bytes: flowRestorePoint.bytes,
  createdAt: flowRestorePoint.createdAt,
} as const;

/** Keeps the present document of a flow. @throws Problem `not_found`, `read_only`, `quota_exceeded` */
export async function createRestorePoint(
  db: Db,
  { userId, flowId, name }: { readonly userId: string; readonly flowId: string; readonly name: string },
): Promise<{ id: string; notice: FlowNotice }> {
  return withLockedFlow(db, { userId, flowId }, async (tx, locked) => {
    const [kept] = await tx
      .select({ count: count() })
      .from(flowRestorePoint)
      .where(eq(flowRestorePoint.flowId, flowId));
    if ((kept?.count ?? 0) >= FLOW_LIMITS.restorePoints)
      throw new Problem(
        507,
        'quota_exceeded',
        `The flow has ${FLOW_LIMITS.restorePoints} restore points, which is the limit. Delete one first.`,
      );
    const bytes = locked.documentBytes;
    await checkRoom(tx, locked.ownerId, { flows: 0, bytes });
    const id = randomUUID();
    const { version, document } = locked;
    const row = { id, flowId, userId, name, version, document: JSON.stringify(document), bytes, createdAt: new Date() };
    await tx.insert(flowRestorePoint).values(row);
    return { id, notice: await resize(tx, locked, bytes) };
  });
}

/** Lists the restore points of a flow that the caller can read, newest first. */
export async function listRestorePoints(db: Db, flowId: string): Promise<RestorePoint[]> {
  return db
    .select(COLUMNS)
    .from(flowRestorePoint)
    .leftJoin(user, eq(user.id, flowRestorePoint.userId))
    .where(eq(flowRestorePoint.flowId, flowId))
    .orderBy(desc(flowRestorePoint.createdAt), desc(flowRestorePoint.id));
}

/** Reads a restore point of a flow that the caller can read. @throws Problem `not_found`; FlowError `newer_version` */
export async function getRestorePoint(
  db: Db | Transaction,
  flowId: string,
  id: string,
): Promise<RestorePoint & { readonly document: FlowDocument }> {
  const [row] = await db
    .select({ ...COLUMNS, document: flowRestorePoint.document })
    .from(flowRestorePoint)
    .leftJoin(user, eq(user.id, flowRestorePoint.userId))
    .where(and(eq(flowRestorePoint.flowId, flowId), eq(flowRestorePoint.id, id)));
  if (row === undefined) throw notFound('The flow has no such restore point.');
  return { ...row, document: await readDocument(row.document) };
}

/** Gives a flow the document of a restore point, as one edit, which can be undone. @throws Problem, as `editFlow` */
export async function restoreFlow(
  db: Db,
  { userId, flowId, id, base }: { userId: string; flowId: string; id: string; base: number },
): Promise<FlowChange> {
  return withLockedFlow(db, { userId, flowId }, async (tx, locked) => {
    const between = await editsAfter(tx, locked, base);
    const { document } = await getRestorePoint(tx, flowId, id);
    const edits = [{ kind: 'set_flow' as const, flow: contentOf(document) }];
    return { ...(await applyToFlow(tx, locked, { userId, kind: 'restore', edits })), between };
  });
}

/** Deletes a restore point. @throws Problem `not_found`, `read_only` */
export async function deleteRestorePoint(
  db: Db,
  { userId, flowId, id }: { readonly userId: string; readonly flowId: string; readonly id: string },
): Promise<FlowNotice> {
  return withLockedFlow(db, { userId, flowId }, async (tx, locked) => {
    const [row] = await tx
      .delete(flowRestorePoint)
      .where(and(eq(flowRestorePoint.flowId, flowId), eq(flowRestorePoint.id, id)))
      .returning({ bytes: flowRestorePoint.bytes });
    if (row === undefined) throw notFound('The flow has no such restore point.');
    return resize(tx, locked, -row.bytes);
  });
}

/** Counts restore points for the owner, and announces the change of their list. */
async function resize(tx: Transaction, { id, version, storedBytes }: LockedFlow, added: number): Promise<FlowNotice> {
  await tx
    .update(flow)
    .set({ storedBytes: storedBytes + added })
    .where(eq(flow.id, id));
  const notice = await noticeOf(tx, id, version);
  await announceFlow(tx, notice);
  return notice;
}
