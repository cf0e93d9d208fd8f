/** Milliseconds that a piece of work may block the event loop. */
const TURN_MS = 5;

/**
 * Runs a generator and lets other work run where it `yield`s. The order of its steps is kept; only outside state may
 * have changed after a yield.
 */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  let began = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (performance.now() - began < TURN_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  }
}
