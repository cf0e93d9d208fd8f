/** How long a caller keeps the next one waiting: its work may wait for a database that is not there. */
const MAX_MS = 50;

/**
 * Lets few callers work at once, in the order of their calls, so that many which come together do not hold others between them.
 * Work that takes longer than 50 ms goes on beside the next.
 */
export function createFewAtOnce(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let places = atOnce;
  /** A place passes to the next caller, or is free. */
  const placeOf = () => {
    let isHeld = true;
    const leave = () => {
      clearTimeout(timer);
      if (!isHeld) return;
      isHeld = false;
      const next = waiting.shift();
      if (next === undefined) places++;
      else next();
    };
    const timer = setTimeout(leave, MAX_MS);
    return leave;
  };
  return async (work) => {
    if (places > 0) places--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    const leave = placeOf();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
