/** Places for the sub-flows of one run. */
export interface SubFlowSlots {
  /**
   * Waits for a place among the sub-flows of this level, and gives what leaves it.
   *
   * @param level flows around the sub-flow that are sub-flows themselves
   * @throws the reason of the signal
   */
  take(level: number, signal: AbortSignal): Promise<() => void>;
}

/**
 * Sub-flows of one level that are under way at once: each holds its document in memory, and a flow may run another one in
 * many nodes, at each level.
 */
const OF_LEVEL = 4;

/**
 * Slots for one run. Each level has its own: a sub-flow waits only for those inside of it, so that none waits for itself.
 */
export function createSubFlowSlots(ofLevel: number = OF_LEVEL): SubFlowSlots {
  const levels = new Map<number, { taken: number; readonly waiting: Set<() => void> }>();
  return {
    async take(number, signal) {
      signal.throwIfAborted();
      const level = levels.get(number) ?? { taken: 0, waiting: new Set<() => void>() };
      levels.set(number, level);
      if (level.taken >= ofLevel)
        await new Promise<void>((resolve, reject) => {
          // A signal of its own: Node warns of a leak when eleven wait with one signal.
          const waiting = AbortSignal.any([signal]);
          const leave = () => {
            level.waiting.delete(start);
            reject(signal.reason as Error);
          };
          const start = () => {
            waiting.removeEventListener('abort', leave);
            resolve();
          };
          level.waiting.add(start);
          waiting.addEventListener('abort', leave, { once: true });
        });
      else level.taken++;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        // The next one gets the place itself.
        const [next] = level.waiting;
        if (next === undefined) level.taken--;
        else {
          level.waiting.delete(next);
          next();
        }
      };
    },
  };
}
