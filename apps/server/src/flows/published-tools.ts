import { and, asc, eq, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { isDuplicate } from '../store/is-duplicate.ts';
import { flow, flowApproval, publishedTool } from '../store/flow-schema.ts';
import { lockOwnFlow } from './get-flow.ts';

/** A flow that its owner offers to agents as a tool of its own. */
export interface PublishedTool {
  readonly flowId: string;
  readonly name: string;
  readonly description: string;
}

/** The title and arguments of a tool as JSON, and the version of the flow that they are of. */
export interface StoredShape {
  readonly version: number;
  readonly json: string;
}

/** A published tool as agents get it. Reading it reads no document. */
export interface ListedTool extends PublishedTool {
  /** Undefined where the flow was published before shapes were stored. */
  readonly shape: StoredShape | undefined;
  /** Of the flow now. */
  readonly version: number;
  readonly documentBytes: number;
  /** Whether the owner accepted this version of the flow. */
  readonly isAccepted: boolean;
}

/** Of one user: each is in the context of every agent of the user. */
const MAX_TOOLS = 50;
/** Of an advisory lock, with the user's id: requests at once would each find room for one more. */
const PUBLISH_LOCK_ID = 7_860_018_015;

/** The tool of a flow; null where this user has not published it. */
export async function readPublishedTool(db: Db, userId: string, flowId: string): Promise<PublishedTool | null> {
  const [row] = await db
    .select(COLUMNS)
    .from(publishedTool)
    .where(and(eq(publishedTool.flowId, flowId), eq(publishedTool.userId, userId)));
  return row ?? null;
}

/** Offers a flow as a tool, or changes its name and description. @throws Problem `not_found`, `forbidden`, `exists`, `quota_exceeded` */
export async function publishTool(
  db: Db,
  userId: string,
  tool: PublishedTool,
  shape: StoredShape,
): Promise<PublishedTool> {
  const isTaken = () =>
    new Problem(409, 'exists', `name: another flow of yours is the tool ${tool.name}. Choose another name.`);
  const publishing = db.transaction(async (tx) => {
    await lockOwnFlow(tx, userId, tool.flowId);
    const others = await otherTools(tx, userId, tool.flowId);
    if (others.some(({ name }) => name === tool.name)) throw isTaken();
    if (others.length >= MAX_TOOLS) throw tooMany();
    await dropDeletedTool(tx, userId, tool);
    const { name, description } = tool;
    const stored = { shape: shape.json, shapeVersion: shape.version };
    await tx
      .insert(publishedTool)
      .values({ ...tool, ...stored, userId, createdAt: new Date() })
      .onConflictDoUpdate({ target: publishedTool.flowId, set: { name, description, ...stored } });
    return tool;
  });
  return publishing.catch((error: unknown) => {
    // Another request took the name meanwhile.
    throw isDuplicate(error) ? isTaken() : error;
  });
}

/**
 * Call it after a deleted flow was restored: its tool counts again.
 *
 * @throws Problem `quota_exceeded` where its owner has too many
 */
export async function fitRestoredTool(tx: Transaction, userId: string, flowId: string): Promise<void> {
  const own = await tx.$count(publishedTool, eq(publishedTool.flowId, flowId));
  if (own > 0 && (await otherTools(tx, userId, flowId)).length >= MAX_TOOLS) throw tooMany();
}

/** The other tools of a user, without those of deleted flows. Adds none elsewhere until the transaction ends. */
async function otherTools(tx: Transaction, userId: string, flowId: string): Promise<{ name: string }[]> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, ${PUBLISH_LOCK_ID}::bigint))`);
  return tx
    .select({ name: publishedTool.name })
    .from(publishedTool)
    .innerJoin(flow, eq(flow.id, publishedTool.flowId))
    .where(and(eq(publishedTool.userId, userId), ne(publishedTool.flowId, flowId), isNull(flow.deletedAt)));
}

/** Removes the tool of another, deleted flow that has the name. */
async function dropDeletedTool(tx: Transaction, userId: string, { flowId, name }: PublishedTool): Promise<void> {
  const deleted = tx
    .select({ id: flow.id })
    .from(flow)
    .where(and(eq(flow.userId, userId), isNotNull(flow.deletedAt)));
  await tx
    .delete(publishedTool)
    .where(
      and(
        eq(publishedTool.userId, userId),
        eq(publishedTool.name, name),
        ne(publishedTool.flowId, flowId),
        inArray(publishedTool.flowId, deleted),
      ),
    );
}

const tooMany = (): Problem =>
  new Problem(507, 'quota_exceeded', `${MAX_TOOLS} of your flows are tools, which is the limit.`);

/** Takes the tool of a flow back. False where there was none. @throws Problem `not_found`, `forbidden` */
export async function unpublishTool(db: Db, userId: string, flowId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockOwnFlow(tx, userId, flowId);
    const gone = await tx
      .delete(publishedTool)
      .where(eq(publishedTool.flowId, flowId))
      .returning({ flowId: publishedTool.flowId });
    return gone.length > 0;
  });
}

/** The tools of a user, by name; with a name, only this one. Those of deleted flows are left out. */
export async function listPublishedTools(db: Db, userId: string, name?: string): Promise<readonly ListedTool[]> {
  const ofUser = and(eq(publishedTool.userId, userId), isNull(flow.deletedAt));
  const rows = await db
    .select({
      ...COLUMNS,
      shape: publishedTool.shape,
      shapeVersion: publishedTool.shapeVersion,
      version: flow.version,
      documentBytes: flow.documentBytes,
      accepted: flowApproval.version,
    })
    .from(publishedTool)
    .innerJoin(flow, eq(flow.id, publishedTool.flowId))
    .leftJoin(flowApproval, and(eq(flowApproval.flowId, flow.id), eq(flowApproval.userId, userId)))
    .where(name === undefined ? ofUser : and(ofUser, eq(publishedTool.name, name)))
    .orderBy(asc(publishedTool.name));
  return rows.map(({ shape, shapeVersion, accepted, ...row }) => ({
    ...row,
    shape: storedShape(shape, shapeVersion),
    isAccepted: accepted === row.version,
  }));
}

/** The stored shape of a flow's tool, if there is one. */
export async function readShape(db: Db, flowId: string): Promise<StoredShape | undefined> {
  const [row] = await db
    .select({ json: publishedTool.shape, version: publishedTool.shapeVersion })
    .from(publishedTool)
    .where(eq(publishedTool.flowId, flowId));
  return row && storedShape(row.json, row.version);
}

const storedShape = (json: string | null, version: number | null): StoredShape | undefined =>
  json === null || version === null ? undefined : { json, version };

/** Stores the shape of a tool, unless one of a later version is stored. */
export async function storeShape(db: Db, flowId: string, { version, json }: StoredShape): Promise<void> {
  const isNewer = or(isNull(publishedTool.shapeVersion), lt(publishedTool.shapeVersion, version));
  await db
    .update(publishedTool)
    .set({ shape: json, shapeVersion: version })
    .where(and(eq(publishedTool.flowId, flowId), isNewer));
}

const COLUMNS = {
  flowId: publishedTool.flowId,
  name: publishedTool.name,
  description: publishedTool.description,
} as const;
