import { randomUUID } from 'node:crypto';
import type { FlowDocument } from '@croft/flow';
import { and, count, eq, isNull, sql, sum } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { flow } from '../store/flow-schema.ts';
import { announceFlow, type FlowNotice } from './announce-flow.ts';
import { approveNewFlow } from './approve-flow.ts';
import { FLOW_LIMITS } from './flow-limits.ts';
import { requireFlow, type StoredFlow } from './get-flow.ts';
import { printJson } from './long-json.ts';

/** Of an advisory lock, with the owner's id: one growth of a user's flows at a time. */
const QUOTA_LOCK_ID = 7_860_018_009;

/** A document as stored. */
export interface DocumentText {
  readonly text: string;
  readonly bytes: number;
}

/** A new flow, and the notice to send. */
export interface CreatedFlow {
  readonly flow: StoredFlow;
  readonly notice: FlowNotice;
}

/** The text of a document to store. @throws Problem `too_large`, `invalid` for an empty name */
export async function textOfDocument(document: FlowDocument): Promise<DocumentText> {
  if (document.name.trim() === '') throw new Problem(400, 'invalid', 'name: Give the flow a name.');
  const text = await printJson(document);
  const bytes = Buffer.byteLength(text);
  if (bytes > FLOW_LIMITS.documentBytes)
    throw new Problem(
      413,
      'too_large',
      `The flow has ${bytes} bytes; the server stores at most ${FLOW_LIMITS.documentBytes}. Unpin outputs or split the flow.`,
    );
  return { text, bytes };
}

/** Stores a checked document as a new flow. @throws Problem `quota_exceeded`, `too_large`, `invalid` */
export async function createFlow(db: Db, userId: string, document: FlowDocument): Promise<CreatedFlow> {
  const { text, bytes } = await textOfDocument(document);
  const row = {
    id: randomUUID(),
    userId,
    name: document.name,
    description: document.description,
    document: text,
    version: 1,
    documentBytes: bytes,
    storedBytes: bytes,
    createdAt: new Date(),
    updatedAt: new Date(),
  };
  const notice = { id: row.id, version: 1, userIds: [userId] };
  await db.transaction(async (tx) => {
    await checkRoom(tx, userId, { flows: 1, bytes });
    await tx.insert(flow).values(row);
    await approveNewFlow(tx, userId, row.id);
    await announceFlow(tx, notice);
  });
  const { id, name, description, version, createdAt, updatedAt } = row;
  const stored = { id, name, description, version, createdAt, updatedAt, ownerId: userId };
  return { flow: { ...stored, access: 'owner', document, documentBytes: bytes }, notice };
}

/** Copies a flow that the user can read into one of their own. @throws Problem `not_found`, `quota_exceeded` */
export async function duplicateFlow(db: Db, userId: string, flowId: string): Promise<CreatedFlow> {
  const found = await requireFlow(db, userId, flowId);
  const suffix = ' (copy)';
  const name = found.name.slice(0, FLOW_LIMITS.nameLength - suffix.length) + suffix;
  return createFlow(db, userId, { ...found.document, name });
}

/**
 * Checks that the flows of a user may grow. Waits for other growth of the same user, until that transaction ends.
 *
 * @throws Problem `quota_exceeded`
 */
export async function checkRoom(
  tx: Transaction,
  ownerId: string,
  added: { readonly flows: number; readonly bytes: number },
): Promise<void> {
  if (added.flows <= 0 && added.bytes <= 0) return;
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${ownerId}, ${QUOTA_LOCK_ID}::bigint))`);
  const used = await usageOf(tx, ownerId);
  if (used.flows + added.flows > FLOW_LIMITS.flowsOfUser)
    throw new Problem(
      507,
      'quota_exceeded',
      `You have ${used.flows} flows, and at most ${FLOW_LIMITS.flowsOfUser} are allowed. Delete some first.`,
    );
  if (used.bytes + added.bytes > FLOW_LIMITS.bytesOfUser)
    throw new Problem(
      507,
      'quota_exceeded',
      `Your flows would use more than ${FLOW_LIMITS.bytesOfUser} bytes. Delete flows or restore points first.`,
    );
}

/** How much a user stores. Deleted flows have a bound of their own. */
export async function usageOf(db: Db | Transaction, ownerId: string): Promise<{ flows: number; bytes: number }> {
  const [row] = await db
    .select({ flows: count(), bytes: sum(flow.storedBytes).mapWith(Number) })
    .from(flow)
    .where(and(eq(flow.userId, ownerId), isNull(flow.deletedAt)));
  return { flows: row?.flows ?? 0, bytes: row?.bytes ?? 0 };
}
