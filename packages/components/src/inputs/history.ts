import type { ChatMessage } from '@croft/models';

/** One message of a session. */
export interface StoredMessage {
  readonly text: string;
  /** `User` or `Machine`. */
  readonly sender: string;
  readonly sender_name: string;
  readonly session_id: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}

/** The messages of sessions. An app passes it in, bound to the user and the flow. */
export interface History {
  /** @param stepKey of the step that adds it: a durable history stores a repeated step's message once */
  add(session: string, message: StoredMessage, signal: AbortSignal, stepKey: string): Promise<void>;
  /** The last messages of a session, oldest first. */
  list(session: string, limit: number, signal: AbortSignal): Promise<readonly StoredMessage[]>;
}

/** Characters of a history in one request to a model. The oldest messages are left out. */
const MAX_MODEL_CHARS = 200_000;

/** The messages of a session before this run, as a model takes them; none without a session. */
export async function earlierMessages(
  history: History | undefined,
  session: string,
  limit: number,
  signal: AbortSignal,
): Promise<ChatMessage[]> {
  if (history === undefined || session === '' || limit <= 0) return [];
  const found = await history.list(session, limit, signal);
  let room = MAX_MODEL_CHARS;
  const oldest = found.findLastIndex(({ text }) => (room -= text.length) < 0);
  return found
    .slice(oldest + 1)
    .map(({ sender, text }) => ({ role: sender === 'Machine' ? 'assistant' : 'user', text }) as const);
}

/** A history in memory, for runs without a server. Its content ends with the process. */
export function memoryHistory(): History {
  const sessions = new Map<string, StoredMessage[]>();
  return {
    async add(session, message, signal) {
      signal.throwIfAborted();
      sessions.set(session, [...(sessions.get(session) ?? []), message]);
    },
    async list(session, limit, signal) {
      signal.throwIfAborted();
      return (sessions.get(session) ?? []).slice(-limit);
    },
  };
}
