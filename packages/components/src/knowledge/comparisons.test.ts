import { afterEach, expect, it, vi } from 'vitest';
import { createComparisons } from './comparisons.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('remembers a comparison for two minutes', () => {
  vi.useFakeTimers();
  const comparisons = createComparisons();
  comparisons.note(['a', 'b']);
  expect([comparisons.isRecent(['a', 'b']), comparisons.isRecent(['b', 'a']), comparisons.isRecent(['a,b'])]).toEqual([
    true,
    false,
    false,
  ]);
  vi.advanceTimersByTime(119_999);
  expect(comparisons.isRecent(['a', 'b'])).toBe(true);
  vi.advanceTimersByTime(1);
  expect(comparisons.isRecent(['a', 'b'])).toBe(false);
});

it('forgets the oldest of many', () => {
  const comparisons = createComparisons();
  comparisons.note(['first']);
  comparisons.note(['second']);
  comparisons.note(['first']);
  for (let i = 0; i < 9_999; i++) comparisons.note([`${i}`]);
  expect([comparisons.isRecent(['first']), comparisons.isRecent(['second'])]).toEqual([true, false]);
});
