const RECENT_MS = 120_000;
const MOST = 10_000;

/** Which collections this process has compared with their models, and whether that is less than two minutes ago. */
export interface Comparisons {
  isRecent(key: readonly string[]): boolean;
  note(key: readonly string[]): void;
}

/** Forgets the oldest of many. */
export function createComparisons(): Comparisons {
  const times = new Map<string, number>();
  return {
    isRecent: (key) => Date.now() - (times.get(JSON.stringify(key)) ?? -Infinity) < RECENT_MS,
    note(key) {
      const text = JSON.stringify(key);
      times.delete(text);
      times.set(text, Date.now());
      for (const [oldest] of times) {
        if (times.size <= MOST) return;
        times.delete(oldest);
      }
    },
  };
}
