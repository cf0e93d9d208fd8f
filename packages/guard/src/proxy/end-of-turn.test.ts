import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { atEndOfTurn, thisTurn } from './end-of-turn.ts';

it('runs all that waits at the end of a turn, in order, and once', async () => {
  const ran: string[] = [];
  atEndOfTurn(() => {
    ran.push('a');
    atEndOfTurn(() => ran.push('later'));
  });
  atEndOfTurn(() => ran.push('b'));
  expect(ran).toEqual([]);
  await nextTurn();
  expect(ran).toEqual(['a', 'b']);
  await nextTurn();
  await nextTurn();
  expect(ran).toEqual(['a', 'b', 'later']);
});

it('gives all callers of a turn one number, and those of the next another', async () => {
  await nextTurn();
  const first = thisTurn();
  expect(thisTurn()).toBe(first);
  await nextTurn();
  await nextTurn();
  expect(thisTurn()).not.toBe(first);
});

it('counts a turn once, however often it is read', async () => {
  await nextTurn();
  const set = vi.spyOn(globalThis, 'setImmediate');
  const first = thisTurn();
  thisTurn();
  atEndOfTurn(() => {});
  atEndOfTurn(() => {});
  expect(set).toHaveBeenCalledTimes(2);
  set.mockRestore();
  await nextTurn();
  expect(thisTurn()).toBe(first + 1);
});
