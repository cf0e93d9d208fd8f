import { and, desc, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import { flow, flowShare } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';
import { accessOf, readDocument, type StoredFlow, SUMMARY_COLUMNS } from './get-flow.ts';

/** A flow of a list, without its document. */
export interface FlowSummary extends Omit<StoredFlow, 'document' | 'documentBytes'> {
  readonly ownerName: string;
  readonly tags: readonly string[];
}

export interface ListOptions {
  readonly limit: number;
  /** Part of the name, in upper or lower case. */
  readonly search?: string | undefined;
  /** As it is written. */
  readonly tag?: string | undefined;
  /** A condition that flows of the list meet. */
  readonly where?: SQL | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface FlowPage {
  readonly flows: readonly FlowSummary[];
  /** Null: this is the last page. */
  readonly nextCursor: string | null;
}

/**
 * One page of the flows that a user owns or that are shared with them, the latest change first. A flow that changes while
 * a client reads pages moves to the first one.
 *
 * @throws Problem `invalid` for a cursor of another list
 */
export async function listFlows(
  db: Db,
  userId: string,
  { limit, search, tag, where, cursor }: ListOptions,
): Promise<FlowPage> {
  const conditions: SQL[] = [isNull(flow.deletedAt)];
  if (search !== undefined && search !== '') conditions.push(nameContains(search));
  if (tag !== undefined) conditions.push(sql`${tag} = ANY(${flow.tags})`);
  if (where !== undefined) conditions.push(where);
  if (cursor !== undefined) conditions.push(isAfter(cursor));
  const columns = { ...SUMMARY_COLUMNS, ownerName: user.name, tags: flow.tags };
  const newestFirst = [desc(flow.updatedAt), desc(flow.id)] as const;
  // Two queries, because an `or` over both tables cannot read either index in order.
  const [own, shared] = await Promise.all([
    db
      .select(columns)
      .from(flow)
      .innerJoin(user, eq(user.id, flow.userId))
      .where(and(eq(flow.userId, userId), ...conditions))
      .orderBy(...newestFirst)
      .limit(limit + 1),
    db
      .select({ ...columns, share: flowShare.access })
      .from(flowShare)
      .innerJoin(flow, eq(flow.id, flowShare.flowId))
      .innerJoin(user, eq(user.id, flow.userId))
      .where(and(eq(flowShare.userId, userId), ...conditions))
      .orderBy(...newestFirst)
      .limit(limit + 1),
  ]);
  const all = [
    ...own.map((row) => ({ ...row, access: 'owner' as const })),
    ...shared.map(({ share, ...row }) => ({ ...row, access: accessOf(row.ownerId, share, userId) })),
  ].sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime() || (a.id < b.id ? 1 : -1));
  const flows = all.slice(0, limit);
  const last = flows.at(-1);
  return { flows, nextCursor: all.length > limit && last ? cursorOf(last) : null };
}

/**
 * The same with documents, for results that show what is in the flows. A page ends before its documents are larger than
 * `maxBytes`; its first flow always comes.
 */
export async function listWholeFlows(
  db: Db,
  userId: string,
  { maxBytes, ...options }: ListOptions & { readonly maxBytes: number },
): Promise<{ readonly flows: readonly StoredFlow[]; readonly nextCursor: string | null }> {
  const page = await listFlows(db, userId, options);
  const ids = page.flows.map(({ id }) => id);
  if (ids.length === 0) return { flows: [], nextCursor: page.nextCursor };
  const sizes = await db.select({ id: flow.id, bytes: flow.documentBytes }).from(flow).where(inArray(flow.id, ids));
  const sizeOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]));
  let left = maxBytes;
  const fitting = page.flows.filter(({ id }, index) => {
    left -= sizeOf.get(id) ?? 0;
    return index === 0 || left >= 0;
  });
  const rows = await db
    .select({ id: flow.id, document: flow.document, documentBytes: flow.documentBytes })
    .from(flow)
    .where(
      inArray(
        flow.id,
        fitting.map(({ id }) => id),
      ),
    );
  const found = new Map(rows.map(({ id, ...each }) => [id, each]));
  const flows: StoredFlow[] = [];
  for (const each of fitting) {
    const row = found.get(each.id);
    if (row !== undefined) flows.push({ ...each, ...row, document: await readDocument(row.document) });
  }
  const last = fitting.at(-1);
  const isCut = fitting.length < page.flows.length && last !== undefined;
  return { flows, nextCursor: isCut ? cursorOf(last) : page.nextCursor };
}

/** `%` and `_` of the search are ordinary characters. */
function nameContains(search: string): SQL {
  return sql`${flow.name} ILIKE ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`;
}

const cursorOf = ({ updatedAt, id }: FlowSummary): string =>
  Buffer.from(`${updatedAt.getTime()} ${id}`).toString('base64url');

function isAfter(cursor: string): SQL {
  // PostgreSQL does not read the dates of later times, with more digits.
  const [, time, id] = /^(\d{1,14}) (\S{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined)
    throw new Problem(400, 'invalid', 'cursor: Send the nextCursor of the page before.');
  const at = new Date(Number(time));
  return or(lt(flow.updatedAt, at), and(eq(flow.updatedAt, at), lt(flow.id, id))) as SQL;
}
