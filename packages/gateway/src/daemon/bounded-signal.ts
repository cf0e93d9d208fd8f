/** A signal that ends with another or after a time, and lets go of both when it is no longer needed. */
export interface BoundedSignal {
  readonly signal: AbortSignal;
  /** Stops the clock. Must be called, or the parent keeps a listener. */
  release(): void;
}

/** Joins a signal and a time limit. `AbortSignal.any` would do, and on Node 20 leaks with a parent that lives long. */
export function boundedSignal(parent: AbortSignal, timeoutMs: number): BoundedSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const timer = setTimeout(end, timeoutMs);
  if (parent.aborted) end();
  else parent.addEventListener('abort', end, { once: true });
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      parent.removeEventListener('abort', end);
    },
  };
}
