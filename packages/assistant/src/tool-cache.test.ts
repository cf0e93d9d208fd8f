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
  expect([await get(undefined), await get([1, null]), await get({ a: undefined })]).toHaveLength(3);
});
