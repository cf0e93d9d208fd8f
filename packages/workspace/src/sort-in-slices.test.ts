import { expect, it, vi } from 'vitest';
import { sortInSlices } from './sort-in-slices.ts';

const values = Array.from(
  { length: 5_000 },
  (_, i) => `${(i * 7_919) % 4_999}/\u{1F600}${i % 3}${i % 5 ? '\uFFFD' : ''}`,
);

it('sorts as an array does, with a pause after each 256 values', async () => {
  let pauses = 0;
  const lengths: number[] = [];
  const { sort } = Array.prototype;
  const spy = vi.spyOn(Array.prototype, 'sort').mockImplementation(function (this: unknown[], ...args) {
    lengths.push(this.length);
    return sort.apply(this, args);
  });
  const pause = () => {
    pauses++;
    return undefined;
  };
  const sorted = await sortInSlices(values, { pause, check() {} }).finally(() => spy.mockRestore());
  expect(sorted).toEqual([...values].sort());
  expect(Math.max(...lengths)).toBe(256);
  // 20 runs, and five rounds that merge them.
  expect(pauses).toBeGreaterThan(100);
});

it('returns nothing for nothing, and equal values as often as they were given', async () => {
  const pace = { pause: () => undefined, check() {} };
  expect(await sortInSlices([], pace)).toEqual([]);
  expect(await sortInSlices(['b', 'a', 'b'], pace)).toEqual(['a', 'b', 'b']);
});
