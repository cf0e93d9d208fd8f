/** How long a piece of work may keep everybody else waiting. */
const TURN_MS = 5;

/**
 * Does work that pauses where it `yield`s, letting whatever else there is to do come in between. It goes on in the order
 * it was written; only what it looks at from outside may have changed meanwhile.
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
