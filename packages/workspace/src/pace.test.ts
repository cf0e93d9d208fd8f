import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPace } from './pace.ts';
import { refusalOf, withTurns } from './testing.ts';

/** Holds the event loop for longer than a slice lasts. */
function outlastSlice(): void {
  const end = performance.now() + 0.5;
  while (performance.now() < end);
}

it('lets other work run for three turns when a slice is over, and then begins the next slice', async () => {
  const pace = createPace();
  outlastSlice();
  const { turns } = await withTurns(async () => {
    const pause = pace.pause();
    expect(pause).toBeInstanceOf(Promise);
    await pause;
  });
  const three = await withTurns(async () => {
    for (let turn = 0; turn < 3; turn++) await nextTurn();
  });
  expect(turns).toBe(three.turns);
  // Another program may hold the processor for all of a slice.
  let isShort = false;
  for (let tries = 0; tries < 100 && !isShort; tries++) {
    outlastSlice();
    await pace.pause();
    isShort = pace.pause() === undefined;
  }
  expect(isShort).toBe(true);
});

it('ends an operation at its next pause once one of its signals is aborted', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const pace = createPace([undefined, first.signal, second.signal]);
  expect([refusalOf(() => pace.check()), refusalOf(() => pace.pause())]).toEqual(['accepted', 'accepted']);
  second.abort();
  expect(refusalOf(() => pace.check())).toBe('The call was cancelled');
  expect(refusalOf(() => pace.pause())).toBe('The call was cancelled');
});
