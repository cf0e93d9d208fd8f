import { expect, it, vi } from 'vitest';
import { createListeners } from './listeners.ts';

it('calls every listener until it leaves', () => {
  const { subscribe, notify } = createListeners();
  const [one, two] = [vi.fn(), vi.fn()];
  const leave = subscribe(one);
  subscribe(two);
  notify();
  leave();
  notify();
  expect([one.mock.calls.length, two.mock.calls.length]).toEqual([1, 2]);
});
