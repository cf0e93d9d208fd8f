let waiting: (() => void)[] = [];

/**
 * Runs `act` together with other waiting callbacks, after all reading of this turn of the event loop. With many
 * concurrent replies this halves their cost, compared to running between socket reads, and wakes a client that waits
 * for several of them only once. `act` must not throw.
 */
export function atEndOfTurn(act: () => void): void {
  if (waiting.push(act) === 1) setImmediate(runAll);
}

function runAll(): void {
  const acts = waiting;
  waiting = [];
  for (const act of acts) act();
}

let turn = 0;
let isCounted = false;

/**
 * The number of this turn of the event loop: the same for all callers before the next `setImmediate` callbacks run.
 * Facts shared by all replies (a policy's file) are checked once per turn.
 */
export function thisTurn(): number {
  if (!isCounted) {
    isCounted = true;
    setImmediate(endTurn);
  }
  return turn;
}

function endTurn(): void {
  turn++;
  isCounted = false;
}
