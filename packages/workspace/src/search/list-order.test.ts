import { expect, it } from 'vitest';
import { type Placed, placedOrder } from './list-order.ts';

const entry = (name: string, key = 0, isDirectory = false): Placed => ({ isDirectory, key, name });
const sorted = (entries: readonly Placed[], descending = false) =>
  [...entries].sort(placedOrder(descending)).map(({ name }) => name);

it('sorts names without case, and numbers in them by their value; directories come first either way', () => {
  const entries = [entry('file 10'), entry('B'), entry('a'), entry('File 9'), entry('z', 0, true), entry('y', 0, true)];
  expect(sorted(entries)).toEqual(['y', 'z', 'a', 'B', 'File 9', 'file 10']);
  expect(sorted(entries, true)).toEqual(['z', 'y', 'file 10', 'File 9', 'B', 'a']);
});

it('sorts by the key first', () => {
  expect(sorted([entry('a', 2), entry('b', 1), entry('c', 2)])).toEqual(['b', 'a', 'c']);
  expect(sorted([entry('a', 2), entry('b', 1), entry('c', 2)], true)).toEqual(['c', 'a', 'b']);
});

it('never takes two names for equal, so that a page ends at one place', () => {
  const order = placedOrder(false);
  for (const [one, other] of [
    ['A', 'a'],
    ['e\u0301', 'é'],
    ['1', '01'],
  ] as const) {
    expect(order(entry(one), entry(other)), `${one} ${other}`).not.toBe(0);
    expect(Math.sign(order(entry(one), entry(other)))).toBe(-Math.sign(order(entry(other), entry(one))));
  }
});
