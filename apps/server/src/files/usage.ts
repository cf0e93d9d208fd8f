import { setTimeout as sleep } from 'node:timers/promises';

/** How many bytes a namespace holds. */
export interface Usage {
  /** The bytes now. Counted again after a change, and when the last count is older than five seconds. */
  bytes(): Promise<number>;
  /** Marks the last count as outdated. */
  changed(): void;
}

/** Programs other than this server write here too, so a count is not kept for longer. */
const FRESH_MS = 5_000;
/** A count takes at most this share of the time, however often files change. */
const PAUSE_PER_COUNT = 10;

/** Counts when it is asked. Requests at the same time share one count; after a long one the next waits. */
export function createUsage(count: () => Promise<number>): Usage {
  let last: { readonly bytes: number; readonly version: number; readonly endedAt: number } | undefined;
  let pauseMs = 0;
  let version = 0;
  let running: Promise<number> | undefined;
  const run = async (): Promise<number> => {
    const waitMs = last === undefined ? 0 : last.endedAt + pauseMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const startedAt = performance.now();
    const counted = version;
    const bytes = await count();
    const endedAt = performance.now();
    last = { bytes, version: counted, endedAt };
    pauseMs = (endedAt - startedAt) * PAUSE_PER_COUNT;
    return bytes;
  };
  return {
    async bytes() {
      const isFresh = last?.version === version && performance.now() - last.endedAt < FRESH_MS;
      if (last !== undefined && isFresh) return last.bytes;
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    changed() {
      version++;
    },
  };
}
