/** Work of one key at a time, in this process. */
export interface OneAtATime {
  /** Runs the work when the earlier work of the key has ended. */
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, work) {
      const running = (last.get(key) ?? Promise.resolve()).then(work, work);
      const settled = running.catch(() => undefined);
      last.set(key, settled);
      try {
        return await running;
      } finally {
        if (last.get(key) === settled) last.delete(key);
      }
    },
  };
}
