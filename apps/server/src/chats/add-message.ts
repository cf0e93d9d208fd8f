import { and, eq, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../store/database.ts';
import { chatMessage, chatSession } from '../store/chat-schema.ts';
import { CHAT_LIMITS, type ChatLimits } from './chat-limits.ts';

/** Of an advisory lock, with the user's id: one addition of a user at a time, so that two never wait for each other. */
const ADD_LOCK_ID = 7_860_018_011;
const AUTOMATIC_NAME_LENGTH = 80;

/** The session of a user with a flow. */
export interface SessionKey {
  readonly userId: string;
  readonly flowId: string;
  readonly sessionId: string;
}

/** A message to store. Without secrets. */
export interface NewMessage {
  /** The same id again stores nothing. */
  readonly id: string;
  readonly runId: string;
  /** Whether the run stores it by itself, and not one of its components. */
  readonly isOfRun: boolean;
  /** `User` or `Machine`. */
  readonly sender: string;
  readonly senderName: string;
  readonly text: string;
  readonly tokens?: { readonly input: number; readonly output: number } | undefined;
}

/**
 * Adds a message to a session, and makes the session if it is new. The oldest messages of the session, and then the oldest
 * sessions of the user, go where there are too many.
 *
 * A run stores its message and its answer, and components may store the same texts: each is stored once.
 */
export async function addMessage(
  db: Db,
  key: SessionKey,
  message: NewMessage,
  limits: ChatLimits = CHAT_LIMITS,
): Promise<void> {
  const text = storable(message.text).slice(0, limits.messageChars);
  const sender = storable(message.sender).slice(0, CHAT_LIMITS.senderLength);
  const senderName = storable(message.senderName).slice(0, CHAT_LIMITS.senderLength);
  await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key.userId}, ${ADD_LOCK_ID}::bigint))`);
    if (await isStored(tx, key, { ...message, sender, text })) return;
    await tx
      .insert(chatSession)
      .values({ ...idsOf(key), name: nameFrom(text) })
      .onConflictDoNothing();
    const bytes = Buffer.byteLength(text);
    const { id, runId, isOfRun, tokens } = message;
    await tx.insert(chatMessage).values({
      ...key,
      id,
      runId,
      isOfRun,
      sender,
      senderName,
      text,
      isCut: text.length < message.text.length,
      bytes,
      inputTokens: tokens?.input ?? null,
      outputTokens: tokens?.output ?? null,
    });
    const [session] = await tx
      .update(chatSession)
      .set({
        messages: sql`${chatSession.messages} + 1`,
        bytes: sql`${chatSession.bytes} + ${bytes}`,
        updatedAt: sql`now()`,
      })
      .where(isSession(key))
      .returning({ messages: chatSession.messages, bytes: chatSession.bytes });
    if (session === undefined) return;
    if (session.messages > limits.messagesOfSession || session.bytes > limits.bytesOfSession)
      await dropOldMessages(tx, key, limits);
    await dropOldSessions(tx, key.userId, limits);
  });
}

/** The condition that a row is this session. */
export const isSession = ({ userId, flowId, sessionId }: SessionKey) =>
  and(eq(chatSession.userId, userId), eq(chatSession.flowId, flowId), eq(chatSession.id, sessionId));

/** The condition that a message is of this session. */
export const isInSession = ({ userId, flowId, sessionId }: SessionKey) =>
  and(eq(chatMessage.userId, userId), eq(chatMessage.flowId, flowId), eq(chatMessage.sessionId, sessionId));

const idsOf = ({ userId, flowId, sessionId }: SessionKey) => ({ userId, flowId, id: sessionId });

/** PostgreSQL refuses NUL in texts. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');

/** The first line of the first message. */
function nameFrom(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.slice(0, AUTOMATIC_NAME_LENGTH) || 'Chat';
}

/** Whether the message is there. One of a component also counts as that of the run, and the reverse. */
async function isStored(tx: Transaction, key: SessionKey, { id, runId, isOfRun, sender, text }: NewMessage) {
  const [same] = await tx.select({ id: chatMessage.id }).from(chatMessage).where(eq(chatMessage.id, id));
  if (same !== undefined) return true;
  const [twin] = await tx
    .select({ id: chatMessage.id })
    .from(chatMessage)
    .where(
      and(
        isInSession(key),
        eq(chatMessage.runId, runId),
        eq(chatMessage.isOfRun, !isOfRun),
        eq(chatMessage.sender, sender),
        eq(chatMessage.text, text),
      ),
    )
    .limit(1);
  if (twin === undefined) return false;
  // The run reads what its components store. The id is now that of the component's step.
  if (!isOfRun) await tx.update(chatMessage).set({ id, isOfRun: false }).where(eq(chatMessage.id, twin.id));
  return true;
}

async function dropOldMessages(tx: Transaction, key: SessionKey, limits: ChatLimits): Promise<void> {
  const { rows } = await tx.execute<{ messages: number; bytes: string }>(sql`
    WITH dropped AS (
      DELETE FROM ${chatMessage} AS old USING (
        SELECT id, sum(bytes) OVER newest AS total, row_number() OVER newest AS place FROM ${chatMessage}
        WHERE ${isInSession(key)} WINDOW newest AS (ORDER BY position DESC)
      ) AS sized
      WHERE old.id = sized.id AND sized.place > 1
        AND (sized.place > ${limits.messagesOfSession} OR sized.total > ${limits.bytesOfSession})
      RETURNING old.bytes
    ) SELECT count(*)::int AS messages, coalesce(sum(bytes), 0) AS bytes FROM dropped`);
  const [dropped] = rows;
  await tx
    .update(chatSession)
    .set({
      messages: sql`${chatSession.messages} - ${dropped?.messages ?? 0}`,
      bytes: sql`${chatSession.bytes} - ${Number(dropped?.bytes ?? 0)}`,
    })
    .where(isSession(key));
}

async function dropOldSessions(tx: Transaction, userId: string, limits: ChatLimits): Promise<void> {
  await tx.execute(sql`
    DELETE FROM ${chatSession} AS old USING (
      SELECT flow_id, id, sum(bytes) OVER newest AS total, row_number() OVER newest AS place,
        row_number() OVER (PARTITION BY flow_id ORDER BY updated_at DESC, id DESC) AS place_in_flow
      FROM ${chatSession} WHERE user_id = ${userId} WINDOW newest AS (ORDER BY updated_at DESC, flow_id, id DESC)
    ) AS sized
    WHERE old.user_id = ${userId} AND old.flow_id = sized.flow_id AND old.id = sized.id AND sized.place > 1
      AND (sized.place > ${limits.sessionsOfUser} OR sized.place_in_flow > ${limits.sessionsOfFlow}
        OR sized.total > ${limits.bytesOfUser})`);
}
