import type { ChatMessage } from '@croft/models';
import { toText } from '../values.ts';

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

/** The conversation before a run, as a model takes it. */
export interface Earlier {
  readonly instructions: readonly string[];
  readonly messages: readonly ChatMessage[];
}

/** The messages of sessions. An app passes it in, bound to the user and the flow. */
export interface History {
  /** Of a client that sends its whole conversation: every request to a model follows them, also without earlier messages. */
  readonly instructions?: readonly StoredMessage[];
  /** @param stepKey of the step that adds it: a durable history stores a repeated step's message once */
  add(session: string, message: StoredMessage, signal: AbortSignal, stepKey: string): Promise<void>;
  /** The last messages of a session, oldest first, without `instructions`. */
  list(session: string, limit: number, signal: AbortSignal): Promise<readonly StoredMessage[]>;
}

/** Characters of the messages before, in one request to a model. The oldest ones are left out. */
const MAX_MODEL_CHARS = 200_000;

/** The session before this run, by the fields `session_id` and `n_messages`; no messages without a session. */
export async function earlierMessages(
  history: History | undefined,
  inputs: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Earlier> {
  const session = toText(inputs['session_id'] ?? '').trim();
  const limit = Number(inputs['n_messages'] ?? 0);
  const instructions = (history?.instructions ?? []).map(({ text }) => text);
  if (history === undefined || session === '' || limit <= 0) return { instructions, messages: [] };
  const found = await history.list(session, limit, signal);
  let room = MAX_MODEL_CHARS;
  const oldest = found.findLastIndex(({ text }) => (room -= text.length) < 0);
  return {
    instructions,
    messages: found
      .slice(oldest + 1)
      .map(({ sender, text }) => ({ role: sender === 'Machine' ? 'assistant' : 'user', text }) as const),
  };
}

/** The instructions of a component, then those of the conversation. */
export const withInstructions = (own: string, { instructions }: Earlier): string =>
  [own, ...instructions].filter((text) => text.trim() !== '').join('\n\n');

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
