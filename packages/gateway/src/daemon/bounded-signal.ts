/** A signal that ends with another or after a time, and lets go of both when it is no longer needed. */
export interface BoundedSignal {
  readonly signal: AbortSignal;
  /** What `work` gives, unless the signal ends first: then it rejects, even where `work` never settles. */
  race<T>(work: Promise<T>): Promise<T>;
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
