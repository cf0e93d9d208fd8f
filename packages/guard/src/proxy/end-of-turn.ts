let waiting: (() => void)[] = [];

/**
 * Runs `act` when everything has been read that has come in this turn of the event loop, with what else waits for that. Many
 * replies come at once: the same code that runs for them one after another costs half of what it does with the reading
 * of sockets in between, and a client that waits for several of them is woken once. `act` must not throw.
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
 * The number of this turn of the event loop: the same for all that asks before the next `setImmediate` callbacks run. What
 * is the same for every reply that has come (a policy's file) is looked at once in each.
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
