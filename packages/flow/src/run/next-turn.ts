/** Longer work holds the requests of other users. In milliseconds. */
export const SLICE_MS = 1;

const waiting: (() => void)[] = [];
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
