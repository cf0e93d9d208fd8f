import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { notFound } from '../problem.ts';
import { problem } from '../routes/route.ts';
import type { Db } from '../store/database.ts';
import { chatMessage, chatSession } from '../store/chat-schema.ts';
import { isInSession, isSession, type SessionKey } from './add-message.ts';

/** A session in a list. */
export interface ChatSession {
  readonly id: string;
  readonly name: string;
  readonly messages: number;
  readonly createdAt: Date;
  /** Of the latest message. */
  readonly updatedAt: Date;
}

/** A message in a list. */
export interface ChatMessage {
  readonly id: string;
  readonly runId: string;
  readonly sender: string;
  readonly senderName: string;
  readonly text: string;
  readonly isCut: boolean;
  /** Of the run, with its answer. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly createdAt: Date;
}

export interface Page {
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

const SESSION = {
  id: chatSession.id,
  name: chatSession.name,
  messages: chatSession.messages,
  createdAt: chatSession.createdAt,
  updatedAt: chatSession.updatedAt,
} as const;

const wrongCursor = () => problem('invalid', 'cursor: use `nextCursor` of the page before.');
const noSession = () => notFound('The flow has no such session.');

/** The sessions of a user with a flow, the latest message first. @throws Problem `invalid` for a cursor of another list */
export async function listSessions(
  db: Db,
  { userId, flowId }: Omit<SessionKey, 'sessionId'>,
  { limit, cursor }: Page,
): Promise<{ sessions: ChatSession[]; nextCursor: string | null }> {
  const rows = await db
    .select(SESSION)
    .from(chatSession)
    .where(and(eq(chatSession.userId, userId), eq(chatSession.flowId, flowId), isBefore(cursor)))
    .orderBy(desc(chatSession.updatedAt), desc(chatSession.id))
    .limit(limit + 1);
  const last = rows[limit - 1];
  const nextCursor = rows.length > limit && last ? `${last.updatedAt.getTime()}_${last.id}` : null;
  return { sessions: rows.slice(0, limit), nextCursor };
}

function isBefore(cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const [, time, id] = /^(\d{1,14})_(.+)$/s.exec(cursor) ?? [];
  if (time === undefined || id === undefined) throw wrongCursor();
  return sql`(${chatSession.updatedAt}, ${chatSession.id}) < (${new Date(Number(time)).toISOString()}::timestamptz, ${id})`;
}

/** Gives a session a name. @throws Problem `not_found` */
export async function renameSession(db: Db, key: SessionKey, name: string): Promise<ChatSession> {
  const [row] = await db.update(chatSession).set({ name }).where(isSession(key)).returning(SESSION);
  if (row === undefined) throw noSession();
  return row;
}

/** Deletes a session with its messages. @throws Problem `not_found` */
export async function deleteSession(db: Db, key: SessionKey): Promise<void> {
  const gone = await db.delete(chatSession).where(isSession(key)).returning({ id: chatSession.id });
  if (gone.length === 0) throw noSession();
}

/** The messages of a session, newest first. @throws Problem `not_found`; `invalid` for a cursor of another list */
export async function listMessages(
  db: Db,
  key: SessionKey,
  { limit, cursor }: Page,
): Promise<{ messages: ChatMessage[]; nextCursor: string | null }> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw wrongCursor();
  await requireSession(db, key);
  const rows = await db
    .select()
    .from(chatMessage)
    .where(and(isInSession(key), cursor === undefined ? undefined : lt(chatMessage.position, Number(cursor))))
    .orderBy(desc(chatMessage.position))
    .limit(limit + 1);
  const last = rows[limit - 1];
  const nextCursor = rows.length > limit && last ? String(last.position) : null;
  return { messages: rows.slice(0, limit).map(messageOf), nextCursor };
}

/** Deletes one message of a session, or all. The session stays. @throws Problem `not_found` */
export async function deleteMessages(db: Db, key: SessionKey, id?: string): Promise<number> {
  return db.transaction(async (tx) => {
    // Locked, so that the counts fit the messages.
    const found = await tx.select({ id: chatSession.id }).from(chatSession).where(isSession(key)).for('update');
    if (found.length === 0) throw noSession();
    const gone = await tx
      .delete(chatMessage)
      .where(and(isInSession(key), id === undefined ? undefined : eq(chatMessage.id, id)))
      .returning({ bytes: chatMessage.bytes });
    if (id !== undefined && gone.length === 0) throw notFound('The session has no such message.');
    const bytes = gone.reduce((total, each) => total + each.bytes, 0);
    await tx
      .update(chatSession)
      .set({ messages: sql`${chatSession.messages} - ${gone.length}`, bytes: sql`${chatSession.bytes} - ${bytes}` })
      .where(isSession(key));
    return gone.length;
  });
}

async function requireSession(db: Db, key: SessionKey): Promise<void> {
  const found = await db.select({ id: chatSession.id }).from(chatSession).where(isSession(key));
  if (found.length === 0) throw noSession();
}

type MessageRow = typeof chatMessage.$inferSelect;

function messageOf({ inputTokens, outputTokens, ...row }: MessageRow): ChatMessage {
  const { id, runId, sender, senderName, text, isCut, createdAt } = row;
  const tokens = inputTokens === null || outputTokens === null ? null : { input: inputTokens, output: outputTokens };
  return { id, runId, sender, senderName, text, isCut, tokens, createdAt };
}
