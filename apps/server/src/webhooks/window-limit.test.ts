import { expect, it } from 'vitest';
import { createWindowLimit } from './window-limit.ts';

it('allows a number of events in a window that begins with the first one', () => {
  let now = 1_000;
  const limit = createWindowLimit(2, 100, () => now);
  expect([limit.take('a'), limit.take('a')]).toEqual([0, 0]);
  now = 1_040;
  expect([limit.take('a'), limit.take('b')]).toEqual([60, 0]);
  now = 1_099;
  expect(limit.take('a')).toBe(1);
  now = 1_100;
  expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 100]);
});

it('counts 10,000 keys, and forgets the one whose window ends first', () => {
  const limit = createWindowLimit(1, 100, () => 0);
  for (let i = 0; i < 10_000; i++) limit.take(`key ${i}`);
  expect(limit.take('key 0')).toBe(100);
  limit.take('one more');
  expect([limit.take('key 1'), limit.take('key 0')]).toEqual([100, 0]);
});

it('forgets first what began first, also when a key began again', () => {
  let now = 0;
  const limit = createWindowLimit(1, 100, () => now);
  limit.take('again');
  limit.take('key 0');
  now = 100;
  // Its second window begins after the window of all others.
  limit.take('again');
  for (let i = 1; i < 10_000; i++) limit.take(`key ${i}`);
  expect(limit.take('again')).toBe(100);
  expect(limit.take('key 1')).toBe(100);
});

it('counts in real time unless a clock is given', () => {
  const limit = createWindowLimit(1, 3_600_000);
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBeGreaterThan(0);
});
