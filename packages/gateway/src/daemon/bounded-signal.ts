/** A signal that aborts with its parent or after a time, and releases both when no longer needed. */
export interface BoundedSignal {
  readonly signal: AbortSignal;
  /** Resolves like `work`, or rejects when the signal aborts first, even if `work` never settles. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Stops the timer. Must be called: otherwise the parent keeps a listener. */
  release(): void;
}

/** Joins a signal and a time limit. Not `AbortSignal.any`, which leaks on Node 20 if the parent lives long. */
export function boundedSignal(parent: AbortSignal, timeoutMs: number): BoundedSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const timer = setTimeout(end, timeoutMs);
  if (parent.aborted) end();
  else parent.addEventListener('abort', end, { once: true });
  return {
    signal: controller.signal,
    race: (work) =>
      Promise.race([
        work,
        new Promise<never>((_, reject) => {
          const over = (): void => reject(new DOMException('It took too long', 'AbortError'));
          if (controller.signal.aborted) over();
          else controller.signal.addEventListener('abort', over, { once: true });
        }),
      ]),
    release() {
      clearTimeout(timer);
      parent.removeEventListener('abort', end);
    },
  };
}
