/** Times of last uses, written together. */
export interface Touches {
  /** Remembers a use; the latest one of an id counts. */
  touch(id: string, at?: Date): void;
  /** Writes what was remembered. A failure is kept for the next time. */
  flush(): Promise<void>;
  /** Writes the remaining times. */
  close(): Promise<void>;
}

const EVERY_MS = 10_000;

/** @param write gets ids in order, so that two servers on one database lock the rows in the same order */
export function createTouches(
  write: (touches: readonly (readonly [id: string, at: Date])[]) => Promise<unknown>,
  { everyMs = EVERY_MS, onError }: { everyMs?: number; onError?: (error: unknown) => void } = {},
): Touches {
  let gathered = new Map<string, Date>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.size === 0) return;
    const writing = gathered;
    gathered = new Map();
    try {
      await write([...writing].sort(([a], [b]) => (a < b ? -1 : 1)));
    } catch (error) {
      for (const [id, at] of writing) if (!gathered.has(id)) gathered.set(id, at);
      onError?.(error);
    }
  };
  return {
    touch(id, at = new Date()) {
      gathered.set(id, at);
      timer ??= setTimeout(() => void flush(), everyMs).unref();
    },
    flush,
    close: flush,
  };
}
