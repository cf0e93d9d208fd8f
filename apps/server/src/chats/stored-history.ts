import { createHash } from 'node:crypto';
import { ComponentError, type History } from '@croft/components';
import { and, desc, eq, not } from 'drizzle-orm';
import { redacted } from '../flow-runs/secret-texts.ts';
import type { Db } from '../store/database.ts';
import { chatMessage } from '../store/chat-schema.ts';
import { addMessage, isInSession } from './add-message.ts';
import { CHAT_LIMITS } from './chat-limits.ts';

/** The run whose components use the history. */
export interface HistoryOwner {
  readonly userId: string;
  readonly flowId: string;
  readonly runId: string;
  /** Texts that no message may contain. */
  readonly secrets: ReadonlySet<string>;
}

/**
 * The messages of a user's sessions with a flow. A run does not see its own message of the user, because the flow has it
 * as its input.
 */
export function storedHistory(storage: () => Promise<Db>, { userId, flowId, runId, secrets }: HistoryOwner): History {
  const keyOf = (session: string) => ({ userId, flowId, sessionId: checkedSession(session) });
  return {
    async add(session, { text, sender, sender_name }, signal, stepKey) {
      signal.throwIfAborted();
      const key = keyOf(session);
      const id = createHash('sha256')
        .update(JSON.stringify([runId, stepKey, session]))
        .digest('base64url');
      const message = { id, runId, isOfRun: false, sender, senderName: redacted(sender_name, secrets) };
      try {
        await addMessage(await storage(), key, { ...message, text: redacted(text, secrets) });
      } catch (error) {
        if (isMissingFlow(error))
          throw new ComponentError('The flow was deleted, so that it keeps no messages.', 'Run another flow.');
        throw error;
      }
    },
    async list(session, limit, signal) {
      signal.throwIfAborted();
      const rows = await (await storage())
        .select()
        .from(chatMessage)
        .where(and(isInSession(keyOf(session)), not(and(eq(chatMessage.runId, runId), chatMessage.isOfRun)!)))
        .orderBy(desc(chatMessage.position))
        .limit(Math.min(limit, CHAT_LIMITS.messagesOfSession));
      return rows.reverse().map(({ text, sender, senderName, createdAt }) => ({
        text,
        sender,
        sender_name: senderName,
        session_id: session,
        timestamp: createdAt.toISOString(),
      }));
    },
  };
}

/** Whether an addition failed because the flow or its user is gone. */
export function isMissingFlow(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return code === '23503' || cause?.code === '23503';
}

/** @throws ComponentError */
function checkedSession(session: string): string {
  if (session.length <= CHAT_LIMITS.sessionIdLength && !session.includes('\0')) return session;
  throw new ComponentError(
    `A session has at most ${CHAT_LIMITS.sessionIdLength} characters, without NUL.`,
    'Shorten the value of session_id.',
  );
}
