/** How long a caller keeps the next one waiting: its work may wait for a database that is not there. */
const MAX_MS = 20;

/**
 * Lets one caller work at a time, in the order of their calls, so that many which come together do not hold others between them.
 * Work that takes longer than 20 ms goes on beside the next.
 */
export function createBriefTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  /** The turn passes to the next caller, if one waits. */
  const takeTurn = () => {
    isTaken = true;
    let isHeld = true;
    const leave = () => {
      clearTimeout(timer);
      if (!isHeld) return;
      isHeld = false;
      const next = waiting.shift();
      if (next === undefined) isTaken = false;
      else next();
    };
    const timer = setTimeout(leave, MAX_MS);
    return leave;
  };
  return async (work) => {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
    const leave = takeTurn();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
