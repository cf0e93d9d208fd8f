import { setTimeout as sleep } from 'node:timers/promises';

/** The size of a user's files, and when it was counted. */
export interface CountedStorage {
  /** Null: they could not be read. */
  readonly bytes: number | null;
  readonly countedAt: Date;
}

/** Counts the files of many users in the background, so that no request walks them. */
export interface StorageSurvey {
  /** The last counts; undefined for a user who was not counted yet. Users with an old count are counted again. */
  read(userIds: readonly string[]): (userId: string) => CountedStorage | undefined;
  /** The files of a user changed: the next `read` counts them again. */
  changed(userId: string): void;
  stop(): void;
}

/** Programs other than this server write here too. */
const FRESH_MS = 10 * 60_000;

/**
 * @param measure walks the files of a user in slices and gives their bytes; may reject
 * @param options.freshMs how long a count of files that did not change is used
 */
export function createStorageSurvey(
  measure: (userId: string, signal: AbortSignal) => Promise<number>,
  { freshMs = FRESH_MS, onError }: { freshMs?: number; onError?: (error: unknown) => void } = {},
): StorageSurvey {
  const counts = new Map<string, CountedStorage>();
  const outdated = new Set<string>();
  const waiting = new Set<string>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let isRunning = false;
  const countOne = async (userId: string): Promise<void> => {
    const startedAt = performance.now();
    // A change during the count makes it outdated again.
    outdated.delete(userId);
    let bytes: number | null = null;
    try {
      bytes = await measure(userId, signal);
    } catch (error) {
      if (!signal.aborted) onError?.(error);
    }
    counts.set(userId, { bytes, countedAt: new Date() });
    // Counts take at most half of the time.
    await sleep(performance.now() - startedAt, undefined, { signal, ref: false }).catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (const userId of waiting) {
      if (signal.aborted) break;
      await countOne(userId);
      waiting.delete(userId);
    }
    isRunning = false;
  };
  const isOld = (userId: string): boolean => {
    const count = counts.get(userId);
    return count === undefined || outdated.has(userId) || Date.now() - count.countedAt.getTime() > freshMs;
  };
  return {
    read(userIds) {
      for (const userId of userIds) if (isOld(userId)) waiting.add(userId);
      void run();
      return (userId) => counts.get(userId);
    },
    changed: (userId) => void outdated.add(userId),
    stop: () => stopping.abort(),
  };
}
