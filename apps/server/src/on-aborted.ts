/** Calls `end` when a signal aborts, at once where it is aborted already. Returns a function that forgets `end`. */
export function onAborted(signal: AbortSignal | undefined, end: () => void): () => void {
  if (signal?.aborted) end();
  else signal?.addEventListener('abort', end, { once: true });
  return () => signal?.removeEventListener('abort', end);
}
