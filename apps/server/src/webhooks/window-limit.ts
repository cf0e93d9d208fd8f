/** Counts events by key in windows of time, in this process. */
export interface WindowLimit {
  /** Counts an event. Returns 0, or the milliseconds until the next one is allowed. */
  take(key: string): number;
}

const MAX_KEYS = 10_000;

/** Allows a number of events of each key in a window that begins with the first one. Its memory has a bound. */
export function createWindowLimit(most: number, windowMs: number, now: () => number = Date.now): WindowLimit {
  const windows = new Map<string, { count: number; readonly endsAt: number }>();
  return {
    take(key) {
      const at = now();
      const found = windows.get(key);
      if (found !== undefined && found.endsAt > at) {
        if (found.count >= most) return found.endsAt - at;
        found.count++;
        return 0;
      }
      windows.delete(key);
      windows.set(key, { count: 1, endsAt: at + windowMs });
      // The first keys are those whose windows end first.
      if (windows.size > MAX_KEYS) windows.delete(windows.keys().next().value as string);
      return 0;
    },
  };
}
