import { DOCUMENT_VERSION, type FlowDocument, parseFlow } from '@croft/flow';
import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { notFound, Problem } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { flow, flowShare } from '../store/flow-schema.ts';
import { parseJson } from './long-json.ts';

/** The rights of a user on a flow. `owner` may also delete and share it. */
export type FlowAccess = 'owner' | 'edit' | 'read';

/** A stored flow as one user sees it. */
export interface StoredFlow {
  readonly id: string;
  readonly ownerId: string;
  readonly access: FlowAccess;
  readonly name: string;
  readonly description: string;
  /** Grows by 1 with each edit. */
  readonly version: number;
  readonly document: FlowDocument;
  readonly documentBytes: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A stored flow whose row is locked until the transaction ends. */
export interface LockedFlow extends StoredFlow {
  readonly editBytes: number;
  readonly storedBytes: number;
  /** Whether a user other than the owner ever changed it. */
  readonly othersEdited: boolean;
}

/** Columns of a flow that lists show. */
export const SUMMARY_COLUMNS = {
  id: flow.id,
  ownerId: flow.userId,
  name: flow.name,
  description: flow.description,
  version: flow.version,
  createdAt: flow.createdAt,
  updatedAt: flow.updatedAt,
} as const;

/** The share of this user, as the condition of a join. */
const shareOf = (userId: string) => and(eq(flowShare.flowId, flow.id), eq(flowShare.userId, userId));

/**
 * The flow, if this user owns it or it is shared with them, and it is not deleted. Every read of a flow goes through this
 * condition.
 */
const reachableBy = (userId: string, flowId: string) =>
  and(eq(flow.id, flowId), isNull(flow.deletedAt), or(eq(flow.userId, userId), isNotNull(flowShare.access)));

/**
 * Reads a flow with its document.
 *
 * @returns undefined if the flow does not exist or this user may not read it
 * @throws FlowError `newer_version` where a newer Croft wrote the document
 */
export async function getFlow(db: Db | Transaction, userId: string, flowId: string): Promise<StoredFlow | undefined> {
  const [row] = await db
    .select({
      ...SUMMARY_COLUMNS,
      document: flow.document,
      documentBytes: flow.documentBytes,
      share: flowShare.access,
    })
    .from(flow)
    .leftJoin(flowShare, shareOf(userId))
    .where(reachableBy(userId, flowId));
  if (row === undefined) return undefined;
  const { share, document, ...rest } = row;
  return { ...rest, access: accessOf(row.ownerId, share, userId), document: await readDocument(document) };
}

/** Whether this user may read the flow. Reads no document. */
export const canReadFlow = async (db: Db, userId: string, flowId: string): Promise<boolean> =>
  (await readVersion(db, userId, flowId)) !== undefined;

/** The version of a flow that this user may read. Reads no document. @throws Problem `not_found` */
export async function requireVersion(db: Db | Transaction, userId: string, flowId: string): Promise<number> {
  const version = await readVersion(db, userId, flowId);
  if (version === undefined) throw noFlow();
  return version;
}

async function readVersion(db: Db | Transaction, userId: string, flowId: string): Promise<number | undefined> {
  const [row] = await db
    .select({ version: flow.version })
    .from(flow)
    .leftJoin(flowShare, shareOf(userId))
    .where(reachableBy(userId, flowId));
  return row?.version;
}

/** The same as {@link getFlow}. @throws Problem `not_found`; FlowError `newer_version` */
export async function requireFlow(db: Db | Transaction, userId: string, flowId: string): Promise<StoredFlow> {
  const found = await getFlow(db, userId, flowId);
  if (found === undefined) throw noFlow();
  return found;
}

/**
 * Reads a flow to change it, and locks its row until the transaction ends, so that changes happen one after the other.
 *
 * @throws Problem `not_found`; `read_only` where the user may only read it
 */
export async function lockFlow(tx: Transaction, userId: string, flowId: string): Promise<LockedFlow> {
  const [row] = await tx
    .select({
      ...SUMMARY_COLUMNS,
      document: flow.document,
      documentBytes: flow.documentBytes,
      editBytes: flow.editBytes,
      storedBytes: flow.storedBytes,
      othersEdited: flow.othersEdited,
      share: flowShare.access,
    })
    .from(flow)
    .leftJoin(flowShare, shareOf(userId))
    .where(reachableBy(userId, flowId))
    .for('update', { of: flow });
  if (row === undefined) throw noFlow();
  const { share, document, ...rest } = row;
  const access = accessOf(row.ownerId, share, userId);
  if (access === 'read')
    throw new Problem(403, 'read_only', 'You may read this flow but not change it. Duplicate it to change a copy.');
  return { ...rest, access, document: await readDocument(document) };
}

/** Locks the row of a flow that this user owns. @throws Problem `not_found`; `forbidden` for a user it is shared with */
export async function lockOwnFlow(tx: Transaction, userId: string, flowId: string): Promise<{ version: number }> {
  const [row] = await tx
    .select({ ownerId: flow.userId, version: flow.version })
    .from(flow)
    .leftJoin(flowShare, shareOf(userId))
    .where(reachableBy(userId, flowId))
    .for('update', { of: flow });
  if (row === undefined) throw noFlow();
  if (row.ownerId !== userId) throw new Problem(403, 'forbidden', 'Only the owner of this flow can do this.');
  return { version: row.version };
}

/** The same for a missing flow and for one of another user. */
export const noFlow = (): Problem => notFound('You have no such flow.');

/** The rights of a user who can reach the flow. */
export function accessOf(ownerId: string, share: string | null, userId: string): FlowAccess {
  if (ownerId === userId) return 'owner';
  return share === 'edit' ? 'edit' : 'read';
}

/** Users whose pages show a flow: the owner and those it is shared with. */
export async function audienceOf(db: Db | Transaction, flowId: string): Promise<string[]> {
  const rows = await db
    .select({ userId: sql<string>`${flow.userId}` })
    .from(flow)
    .where(eq(flow.id, flowId))
    .union(
      db
        .select({ userId: sql<string>`${flowShare.userId}` })
        .from(flowShare)
        .where(eq(flowShare.flowId, flowId)),
    );
  return rows.map(({ userId }) => userId);
}

/** Parses a stored document; it was checked when it was stored. Older versions are lifted. @throws FlowError */
export async function readDocument(text: string): Promise<FlowDocument> {
  const value = (await parseJson(text)) as FlowDocument;
  return value.version === DOCUMENT_VERSION ? value : parseFlow(value);
}
