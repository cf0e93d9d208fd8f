import type { ServerResponse } from 'node:http';

/**
 * Calls `end` when a response closes, at once where it has closed already: a client may leave before its response begins, and Node
 * announces that only once. Returns a function that forgets `end`.
 */
export function onClosed(response: ServerResponse, end: () => void): () => void {
  if (response.closed) end();
  else response.once('close', end);
  return () => void response.off('close', end);
}
