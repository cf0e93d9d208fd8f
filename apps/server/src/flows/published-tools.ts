import type { FlowDocument } from '@croft/flow';
import { and, asc, count, eq, isNull, ne } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import { isDuplicate } from '../store/is-duplicate.ts';
import { flow, publishedTool } from '../store/flow-schema.ts';
import { lockOwnFlow, readDocument, requireFlow } from './get-flow.ts';

/** A flow that its owner offers to agents as a tool of its own. */
export interface PublishedTool {
  readonly flowId: string;
  readonly name: string;
  readonly description: string;
}

/** Of one user: each is in the context of every agent of the user. */
const MAX_TOOLS = 50;

/** The tool of a flow; null where it is not published. @throws Problem `not_found`, `forbidden` */
export async function readPublishedTool(db: Db, userId: string, flowId: string): Promise<PublishedTool | null> {
  const { access } = await requireFlow(db, userId, flowId);
  if (access !== 'owner') throw new Problem(403, 'forbidden', 'Only the owner of this flow can do this.');
  const [row] = await db.select(COLUMNS).from(publishedTool).where(eq(publishedTool.flowId, flowId));
  return row ?? null;
}

/** Offers a flow as a tool, or changes its name and description. @throws Problem `not_found`, `forbidden`, `exists`, `quota_exceeded` */
export async function publishTool(db: Db, userId: string, tool: PublishedTool): Promise<PublishedTool> {
  const isTaken = () =>
    new Problem(409, 'exists', `name: another flow of yours is the tool ${tool.name}. Choose another name.`);
  const publishing = db.transaction(async (tx) => {
    await lockOwnFlow(tx, userId, tool.flowId);
    const others = and(eq(publishedTool.userId, userId), ne(publishedTool.flowId, tool.flowId));
    const [taken] = await tx
      .select({ flowId: publishedTool.flowId })
      .from(publishedTool)
      .where(and(others, eq(publishedTool.name, tool.name)));
    if (taken !== undefined) throw isTaken();
    const [published] = await tx.select({ count: count() }).from(publishedTool).where(others);
    if ((published?.count ?? 0) >= MAX_TOOLS)
      throw new Problem(507, 'quota_exceeded', `${MAX_TOOLS} of your flows are tools, which is the limit.`);
    const { name, description } = tool;
    await tx
      .insert(publishedTool)
      .values({ ...tool, userId, createdAt: new Date() })
      .onConflictDoUpdate({ target: publishedTool.flowId, set: { name, description } });
    return tool;
  });
  return publishing.catch((error: unknown) => {
    // Another request took the name meanwhile.
    throw isDuplicate(error) ? isTaken() : error;
  });
}

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

/** The tools of a user, by name, with their flows. Those of deleted flows are left out. */
export async function listPublishedTools(
  db: Db,
  userId: string,
): Promise<readonly (PublishedTool & { readonly document: FlowDocument })[]> {
  const rows = await db
    .select({ ...COLUMNS, document: flow.document })
    .from(publishedTool)
    .innerJoin(flow, eq(flow.id, publishedTool.flowId))
    .where(and(eq(publishedTool.userId, userId), isNull(flow.deletedAt)))
    .orderBy(asc(publishedTool.name));
  return Promise.all(rows.map(async ({ document, ...row }) => ({ ...row, document: await readDocument(document) })));
}

const COLUMNS = {
  flowId: publishedTool.flowId,
  name: publishedTool.name,
  description: publishedTool.description,
} as const;
