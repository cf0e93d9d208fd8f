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
  const nodes = Array.from({ length: 40 }, (_, at) => ({
    id: `n${at}`,
    type: 'Busy',
    position: { x: 0, y: 0 },
    values: {},
  }));
  let sinceTurn = 0;
  let turns = 0;
  let most = 0;
  const busy = {
    descriptor: fakeComponent('Busy').descriptor,
    run: () => {
      for (const end = performance.now() + 0.5; performance.now() < end; );
      sinceTurn++;
      // All runs start in one turn.
      if (turns > 3) most = Math.max(most, sinceTurn);
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
  const options = { registry: createRegistry([busy]), services: {} };
  const runs = Array.from({ length: 20 }, () => runToEnd({ ...emptyFlow(), nodes }, options));
  for (const { status } of await Promise.all(runs)) expect(status).toBe('completed');
  isOver = true;
  await others;
  // A slice of a run that is alone is three nodes.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(8);
});

it('shortens the slices of runs while others wait for their turn', async () => {
  let clock = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const nodes = Array.from({ length: 100 }, (_, at) => ({
    id: `n${at}`,
    type: 'Busy',
    position: { x: 0, y: 0 },
    values: {},
  }));
  let sinceTurn = 0;
  let turns = 0;
  let most = 0;
  const busy = {
    descriptor: fakeComponent('Busy').descriptor,
    run: () => {
      clock += 0.06;
      sinceTurn += 0.06;
      // All runs start in one turn, and the last one is alone at its end.
      if (turns > 3 && turns < 60) most = Math.max(most, sinceTurn);
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
  const options = { registry: createRegistry([busy]), services: {} };
  const runs = Array.from({ length: 10 }, () => runToEnd({ ...emptyFlow(), nodes }, options));
  for (const { status } of await Promise.all(runs)) expect(status).toBe('completed');
  isOver = true;
  await others;
  now.mockRestore();
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(0.5);
  expect(turns).toBeGreaterThan(60);
});
