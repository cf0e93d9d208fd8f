const waiting: (() => void)[] = [];

/**
 * How long a caller may work in one turn of the event loop, in milliseconds: longer work holds the requests of other users. A
 * request for a file takes about eight turns, and where callers wait for theirs, each of the eight has a slice: a few nodes, which
 * takes 50 runs at once 17 % longer than 0.25 ms would. A caller that is alone works longer, because each pause has a cost.
 */
export const sliceMs = (): number => (waiting.length === 0 ? 1 : 0.06);

/** In browsers, which have no `setImmediate`, a timer. */
const later = (work: () => void): void => {
  const { setImmediate } = globalThis as { setImmediate?: (work: () => void) => unknown };
  if (setImmediate === undefined) setTimeout(work, 0);
  else setImmediate(work);
};

/**
 * Lets timers, requests and aborts happen between two parts of long work. One caller continues in each turn of the event
 * loop, in the order of their calls: 50 runs at once hold a request no longer than one run does.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) later(continueOne);
  });

function continueOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) later(continueOne);
}
