import { expect, it } from 'vitest';
import { createBlockCache } from './block-cache.ts';

/** A block of this many numbers, of four bytes each. */
const block = (numbers: number) => new Float32Array(numbers);

it('keeps blocks up to its bound, and those that were used last', () => {
  const cache = createBlockCache(80);
  const [a, b, c] = [block(10), block(10), block(10)];
  cache.add('a', a);
  cache.add('b', b);
  expect([cache.get('a'), cache.bytes()]).toEqual([a, 80]);
  cache.add('c', c);
  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.bytes()]).toEqual([a, undefined, c, 80]);
});

it('takes no block that is larger than the bound, and a known one only once', () => {
  const cache = createBlockCache(40);
  const kept = block(10);
  cache.add('a', kept);
  cache.add('b', block(11));
  cache.add('a', block(5));
  expect([cache.get('a'), cache.get('b'), cache.bytes()]).toEqual([kept, undefined, 40]);
});

it('drops as many old blocks as a large one needs, in the order of their use', () => {
  const cache = createBlockCache(80);
  for (const key of ['a', 'b', 'c', 'd']) cache.add(key, block(5));
  cache.get('a');
  cache.add('large', block(10));
  expect(['a', 'b', 'c', 'd', 'large'].map((key) => cache.get(key)?.length)).toEqual([5, undefined, undefined, 5, 10]);
  expect(cache.bytes()).toBe(80);
  cache.add('whole', block(20));
  expect([cache.get('large'), cache.get('whole')?.length, cache.bytes()]).toEqual([undefined, 20, 80]);
});

it('is empty at first', () => {
  const cache = createBlockCache(80);
  expect([cache.get('a'), cache.bytes()]).toEqual([undefined, 0]);
});
