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
  add(session: string, message: StoredMessage, signal: AbortSignal): Promise<void>;
  /** The last messages of a session, oldest first. */
  list(session: string, limit: number, signal: AbortSignal): Promise<readonly StoredMessage[]>;
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
