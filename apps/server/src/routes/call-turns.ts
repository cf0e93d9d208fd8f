import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Starts the calls of a user in different turns of the event loop: listing a large folder holds it, and without turns in
 * between, many such calls of one user would hold it together. Wait for it before a call; ended calls do not matter.
 */
export function createCallTurns(): (userId: string) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (userId) => {
    const own = (last.get(userId) ?? Promise.resolve()).then(() => nextTurn());
    last.set(userId, own);
    await own;
    if (last.get(userId) === own) last.delete(userId);
  };
}
