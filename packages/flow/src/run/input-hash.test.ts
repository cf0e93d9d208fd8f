import { expect, it } from 'vitest';
import type { FlowNode } from '../document.ts';
import { inputHash } from './input-hash.ts';

const NODE: FlowNode = { id: 'a', type: 'Step', position: { x: 0, y: 0 }, values: {} };

it('the key is the same for equal inputs in another order, and for another place or name of the node', async () => {
  const key = await inputHash(NODE, { a: 1, b: { c: 2, d: [3, 4] } });
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(
    await inputHash({ ...NODE, id: 'b', name: 'N', position: { x: 9, y: 9 } }, { b: { d: [3, 4], c: 2 }, a: 1 }),
  ).toBe(key);
});

it('the key is another one for everything that decides the outputs', async () => {
  const keys = await Promise.all([
    inputHash(NODE, { a: 1 }),
    inputHash(NODE, { a: 2 }),
    inputHash(NODE, { a: '1' }),
    inputHash(NODE, { a: [1, 2] }),
    inputHash(NODE, { a: [2, 1] }),
    inputHash({ ...NODE, type: 'Other' }, { a: 1 }),
    inputHash({ ...NODE, code: 'x' }, { a: 1 }),
    inputHash({ ...NODE, toolMode: true }, { a: 1 }),
  ]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(await inputHash({ ...NODE, toolMode: false }, { a: 1 })).toBe(keys[0]);
});
