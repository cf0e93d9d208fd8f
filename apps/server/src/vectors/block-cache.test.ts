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
