/** An id that no other session has. Not secret; `crypto.randomUUID` is missing on pages without TLS. */
export const newSession = () => `chat-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** The address of a conversation; without one, that of a new one. */
export function toPlayground(flowId: string, session?: string): string {
  return `/flows/${flowId}/play${session === undefined ? '' : `?${new URLSearchParams({ chat: session }).toString()}`}`;
}
