import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { emptyFlow } from '../document.ts';
import { createRegistry } from '../registry.ts';
import { fakeComponent } from '../testing.ts';
import { nextTurn } from './next-turn.ts';
import { runToEnd } from './run-flow.ts';

it('lets one caller continue in each turn of the event loop, in the order of their calls', async () => {
  const continued: number[] = [];
  const all = Array.from({ length: 20 }, (_, at) => nextTurn().then(() => continued.push(at)));
  for (let turn = 0; continued.length < 20; turn++) {
    expect(continued.length).toBeLessThanOrEqual(turn + 1);
    await turnOfLoop();
  }
  await Promise.all(all);
  expect(continued).toEqual(continued.toSorted((a, b) => a - b));
});

it('lets other work happen after each slice of one run, also with 20 runs at once', async () => {
  const { most } = await workBetweenTurns({
    runs: 20,
    nodes: 40,
    work() {
      for (const end = performance.now() + 0.5; performance.now() < end; );
      return 1;
    },
    // All runs start in one turn.
    isMeasured: (turn) => turn > 3,
  });
  // A slice of a run that is alone is three nodes.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(8);
});

it('shortens the slices of runs while others wait for their turn', async () => {
  let clock = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const { most, turns } = await workBetweenTurns({
    runs: 10,
    nodes: 100,
    work() {
      clock += 0.06;
      return 0.06;
    },
    // The last run is alone at its end.
    isMeasured: (turn) => turn > 3 && turn < 60,
  });
  now.mockRestore();
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(0.25);
  expect(turns).toBeGreaterThan(60);
});

/** Runs flows at once: the most work that their nodes did between two turns of the event loop, and the number of turns. */
async function workBetweenTurns({
  runs,
  nodes,
  work,
  isMeasured,
}: {
  readonly runs: number;
  readonly nodes: number;
  /** Of a node. Returns its amount. */
  readonly work: () => number;
  readonly isMeasured: (turn: number) => boolean;
}): Promise<{ most: number; turns: number }> {
  let [sinceTurn, turns, most] = [0, 0, 0];
  const busy = {
    descriptor: fakeComponent('Busy').descriptor,
    run: () => {
      sinceTurn += work();
      if (isMeasured(turns)) most = Math.max(most, sinceTurn);
      return {};
    },
  };
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns++) {
      await turnOfLoop();
      sinceTurn = 0;
    }
  })();
  const all = Array.from({ length: nodes }, (_, at) => ({
    id: `n${at}`,
    type: 'Busy',
    position: { x: 0, y: 0 },
    values: {},
  }));
  const options = { registry: createRegistry([busy]), services: {} };
  const results = Array.from({ length: runs }, () => runToEnd({ ...emptyFlow(), nodes: all }, options));
  for (const { status } of await Promise.all(results)) expect(status).toBe('completed');
  isOver = true;
  await others;
  return { most, turns };
}
