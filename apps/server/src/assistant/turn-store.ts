import type { AssistantEvent, PastTurn } from '@croft/assistant';
import { and, asc, desc, eq, gte, lt, ne, notInArray, sql } from 'drizzle-orm';
import type { Db } from '../store/database.ts';
import { assistantTurn } from '../store/assistant-schema.ts';

/** A conversation: one user, one flow, one session. */
export interface Conversation {
  readonly userId: string;
  readonly flowId: string;
  readonly sessionId: string;
}

/** A turn as it is stored. */
export interface StoredTurn extends Conversation {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly reply: string;
  readonly events: readonly AssistantEvent[];
  readonly restorePointId: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** A conversation in a list. */
export interface SessionSummary {
  readonly sessionId: string;
  /** The beginning of its first message. */
  readonly preview: string;
  readonly turns: number;
  readonly updatedAt: Date;
}

/** Bounds of the memory. Older turns and sessions make room. */
export const MEMORY = { turnsOfSession: 10, sessionsOfUser: 100, days: 30, shownSessions: 10, preview: 80 } as const;
const MAX_TEXT = 20_000;
const MAX_EVENTS = 512 * 1024;
const DAY_MS = 86_400_000;

/** The turns of the assistant in the database. Every function reaches the turns of one user only. */
export interface TurnStore {
  begin(turn: Conversation & { readonly id: string; readonly message: string }): Promise<void>;
  end(id: string, events: readonly AssistantEvent[]): Promise<void>;
  /** Adds an event to a turn that has ended. */
  add(id: string, event: AssistantEvent): Promise<void>;
  find(userId: string, id: string): Promise<StoredTurn | undefined>;
  /** Oldest first. */
  turns(conversation: Conversation): Promise<StoredTurn[]>;
  /** Completed turns with a reply, oldest first. */
  memory(conversation: Conversation, most: number): Promise<PastTurn[]>;
  sessions(userId: string, flowId: string): Promise<SessionSummary[]>;
  /** Removes a conversation, or its turns from one on. Returns how many turns. */
  remove(conversation: Conversation, from?: Date): Promise<number>;
}

/** @param storage waits for the database */
export function createTurnStore(storage: () => Promise<Db>): TurnStore {
  const turns = async (conversation: Conversation) => {
    const rows = await (await storage())
      .select()
      .from(assistantTurn)
      .where(of(conversation))
      .orderBy(asc(assistantTurn.startedAt), asc(assistantTurn.id));
    return rows.map(readRow);
  };
  return {
    turns,
    async begin({ id, message, ...conversation }) {
      const db = await storage();
      const row = { status: 'running', message: storable(message), reply: '', events: '[]', startedAt: new Date() };
      await db.insert(assistantTurn).values({ id, ...conversation, ...row });
      await prune(db, conversation);
    },
    async end(id, events) {
      const last = events.findLast(({ event }) => event === 'complete' || event === 'error' || event === 'cancelled');
      const reply = last?.event === 'complete' ? last.data.result : '';
      const end = last?.event === 'complete' ? last.data : last;
      const restorePointId = end !== undefined && 'restore_point_id' in end ? (end.restore_point_id ?? null) : null;
      await (await storage())
        .update(assistantTurn)
        .set({
          status: last?.event ?? 'error',
          reply: storable(reply),
          events: textOfEvents(events),
          restorePointId,
          endedAt: new Date(),
        })
        .where(eq(assistantTurn.id, id));
    },
    async add(id, event) {
      await (await storage()).transaction(async (tx) => {
        const [row] = await tx.select().from(assistantTurn).where(eq(assistantTurn.id, id)).for('update');
        if (row === undefined) return;
        const events = textOfEvents([...readRow(row).events, event]);
        await tx.update(assistantTurn).set({ events }).where(eq(assistantTurn.id, id));
      });
    },
    async find(userId, id) {
      const [row] = await (await storage())
        .select()
        .from(assistantTurn)
        .where(and(eq(assistantTurn.id, id), eq(assistantTurn.userId, userId)));
      return row && readRow(row);
    },
    async memory(conversation, most) {
      const rows = await (await storage())
        .select({ user: assistantTurn.message, assistant: assistantTurn.reply })
        .from(assistantTurn)
        .where(and(of(conversation), eq(assistantTurn.status, 'complete'), ne(assistantTurn.reply, '')))
        .orderBy(desc(assistantTurn.startedAt), desc(assistantTurn.id))
        .limit(most);
      return rows.reverse();
    },
    async sessions(userId, flowId) {
      const rows = await (await storage())
        .select({
          sessionId: assistantTurn.sessionId,
          preview: sql<string>`(array_agg(left(${assistantTurn.message}, ${MEMORY.preview}) ORDER BY ${assistantTurn.startedAt}))[1]`,
          turns: sql<number>`count(*)::int`,
          updatedAt: sql<Date>`max(${assistantTurn.startedAt})`.mapWith(assistantTurn.startedAt),
        })
        .from(assistantTurn)
        .where(and(eq(assistantTurn.userId, userId), eq(assistantTurn.flowId, flowId)))
        .groupBy(assistantTurn.sessionId)
        .orderBy(desc(sql`max(${assistantTurn.startedAt})`))
        .limit(MEMORY.shownSessions);
      return rows;
    },
    async remove(conversation, from) {
      const gone = await (await storage())
        .delete(assistantTurn)
        .where(and(of(conversation), from === undefined ? undefined : gte(assistantTurn.startedAt, from)))
        .returning({ id: assistantTurn.id });
      return gone.length;
    },
  };
}

/** The turns of one conversation. */
const of = ({ userId, flowId, sessionId }: Conversation) =>
  and(eq(assistantTurn.userId, userId), eq(assistantTurn.flowId, flowId), eq(assistantTurn.sessionId, sessionId));

/** Removes what is beyond the bounds of the memory. */
async function prune(db: Db, conversation: Conversation): Promise<void> {
  const { userId } = conversation;
  const own = eq(assistantTurn.userId, userId);
  const kept = db
    .select({ id: assistantTurn.id })
    .from(assistantTurn)
    .where(of(conversation))
    .orderBy(desc(assistantTurn.startedAt), desc(assistantTurn.id))
    .limit(MEMORY.turnsOfSession);
  await db.delete(assistantTurn).where(and(of(conversation), notInArray(assistantTurn.id, kept)));
  await db
    .delete(assistantTurn)
    .where(and(own, lt(assistantTurn.startedAt, new Date(Date.now() - MEMORY.days * DAY_MS))));
  const old = await db
    .select({ flowId: assistantTurn.flowId, sessionId: assistantTurn.sessionId })
    .from(assistantTurn)
    .where(own)
    .groupBy(assistantTurn.flowId, assistantTurn.sessionId)
    .orderBy(desc(sql`max(${assistantTurn.startedAt})`))
    .offset(MEMORY.sessionsOfUser);
  for (const each of old) await db.delete(assistantTurn).where(of({ userId, ...each }));
}

/** PostgreSQL refuses NUL. */
const storable = (text: string): string => text.replaceAll('\0', '').slice(0, MAX_TEXT);

/** Without tokens. Where the events are too large, contents of files and replaced flows are left out, then all large events. */
function textOfEvents(events: readonly AssistantEvent[]): string {
  const shown = events.filter(({ event }) => event !== 'token');
  const text = JSON.stringify(shown);
  if (text.length <= MAX_EVENTS) return text;
  const needed = withoutReplacedFlows(shown).map(withoutContent);
  const short = JSON.stringify(needed);
  if (short.length <= MAX_EVENTS) return short;
  const small = needed.filter((each) => JSON.stringify(each).length < 20_000).slice(-500);
  return JSON.stringify(small);
}

/** Each edit of a built flow sends the whole flow again: only the last one is decided about. */
function withoutReplacedFlows(events: readonly AssistantEvent[]): readonly AssistantEvent[] {
  const last = new Map<string, AssistantEvent>();
  for (const each of events) if (isBuilt(each)) last.set(each.id, each);
  return events.filter((each) => !isBuilt(each) || last.get(each.id) === each);
}

const isBuilt = (event: AssistantEvent) => event.event === 'flow_update' && event.action === 'set_flow';

/** A written file without its text: the turn can be reverted by it all the same. */
function withoutContent(event: AssistantEvent): AssistantEvent {
  if (event.event !== 'file_written') return event;
  const { content: _, ...rest } = event;
  return rest;
}

function readRow({ events, ...row }: typeof assistantTurn.$inferSelect): StoredTurn {
  return { ...row, events: JSON.parse(events) as AssistantEvent[] };
}
