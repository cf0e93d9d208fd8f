import { expect, it } from 'vitest';
import { createToolCache } from './tool-cache.ts';

it('keeps 100 results, and drops the one that was used longest ago', async () => {
  const cache = createToolCache();
  let produced = 0;
  const get = (query: string) => cache.get('search_components', { query }, async () => ({ count: ++produced }));
  for (let at = 0; at < 100; at++) await get(`q${at}`);
  expect(await get('q0')).toEqual({ count: 1 });
  await get('one more');
  expect(await get('q0')).toEqual({ count: 1 });
  expect(await get('q1')).toEqual({ count: 102 });
});

it('finds a result for the same arguments in any order, and takes any value for an argument', async () => {
  const cache = createToolCache();
  let produced = 0;
  const get = (args: unknown) => cache.get('t', args, async () => ({ count: ++produced }));
  expect([await get({ a: 1, b: { c: 2, d: 3 } }), await get({ b: { d: 3, c: 2 }, a: 1 })]).toEqual([
    { count: 1 },
    { count: 1 },
  ]);
  const others = [
    undefined,
    [1, null],
    [1, [null]],
    { a: undefined },
    { a: 1 },
    { a: '1' },
    { 'a"': 1 },
    { ab: 1 },
    { a: 1, b: 2 },
  ];
  for (const [at, args] of others.entries()) expect(await get(args)).toEqual({ count: at + 2 });
  for (const [at, args] of others.entries()) expect(await get(args)).toEqual({ count: at + 2 });
});

it('keeps results by tool, no errors, and nothing once it is cleared', async () => {
  const cache = createToolCache(2);
  let produced = 0;
  const get = (tool: string, more = {}) => cache.get(tool, {}, async () => ({ count: ++produced, ...more }));
  expect([await get('a'), await get('b'), await get('a')]).toEqual([{ count: 1 }, { count: 2 }, { count: 1 }]);
  expect([await get('c', { error: 'no' }), await get('c', { error: 'no' })]).toEqual([
    { count: 3, error: 'no' },
    { count: 4, error: 'no' },
  ]);
  expect([await get('b'), await get('d'), await get('a'), await get('b')]).toEqual([
    { count: 2 },
    { count: 5 },
    { count: 6 },
    { count: 7 },
  ]);
  cache.clear();
  expect(await get('b')).toEqual({ count: 8 });
});
