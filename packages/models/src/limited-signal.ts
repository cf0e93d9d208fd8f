/** A signal that aborts with the given one, and after `limitMs`. */
export function limitedSignal(signal: AbortSignal | undefined, limitMs: number): AbortSignal {
  const limit = AbortSignal.timeout(limitMs);
  if (signal === undefined) return limit;
  // Keeps it: Node collects a limit that only `any` refers to, and it never aborts.
  limit.addEventListener('abort', () => undefined, { once: true });
  return AbortSignal.any([signal, limit]);
}
