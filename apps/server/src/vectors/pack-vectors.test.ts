import { expect, it } from 'vitest';
import { packed } from './pack-vectors.ts';

it('packs vectors one after the other, in four bytes a number', () => {
  const bytes = packed([new Float32Array([1, 2]), new Float32Array([-3, 0.5])]);
  expect(bytes).toHaveLength(16);
  expect([0, 4, 8, 12].map((at) => bytes.readFloatLE(at))).toEqual([1, 2, -3, 0.5]);
  expect(packed([])).toHaveLength(0);
});

it('refuses a vector of another length', () => {
  expect(() => packed([new Float32Array([1, 2]), new Float32Array([3])])).toThrow(
    expect.objectContaining({ name: 'ComponentError' }),
  );
});
