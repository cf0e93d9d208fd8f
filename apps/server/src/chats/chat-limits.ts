/** Bounds of stored conversations. Where a list is full, its oldest entries go. */
export const CHAT_LIMITS = {
  /** A longer message is cut, and says so. */
  messageChars: 100_000,
  messagesOfSession: 1_000,
  bytesOfSession: 8 * 1024 * 1024,
  /** Of one user. */
  sessionsOfFlow: 500,
  sessionsOfUser: 5_000,
  bytesOfUser: 256 * 1024 * 1024,
  sessionIdLength: 200,
  sessionNameLength: 200,
  senderLength: 100,
  /** Entries of one page of a list. */
  pageSize: 200,
} as const;

export type ChatLimits = Readonly<Record<keyof typeof CHAT_LIMITS, number>>;
