import { expect, it } from 'vitest';
import { CARD_WIDTH, cardHandles, cardHeight } from './card-size.ts';

const ports = (...names: string[]) => names.map((name) => ({ name }));
const view = (fields: number, inputs: string[], outputs: string[]) =>
  ({
    fields: Array.from({ length: fields }),
    inputs: ports(...inputs),
    outputs: ports(...outputs),
  }) as unknown as Parameters<typeof cardHeight>[0];

it('grows by a line for each field and for each port of the longer side', () => {
  const height = (...args: Parameters<typeof view>) => cardHeight(view(...args));
  expect(height(0, [], [])).toBe(71);
  expect(height(1, [], []) - height(0, [], [])).toBe(33);
  expect(height(2, [], []) - height(1, [], [])).toBe(20);
  expect(height(0, ['a'], [])).toBe(87);
  expect([height(0, ['a'], ['x', 'y']), height(0, ['a', 'b'], [])]).toEqual([107, 107]);
});

it('has inputs at its left edge and outputs at its right one, below its fields', () => {
  const [a, b, out] = cardHandles(view(0, ['a', 'b'], ['out']));
  expect(a).toEqual({ id: 'a', type: 'target', position: 'left', x: -4, y: 65, width: 10, height: 10 });
  expect(b).toMatchObject({ id: 'b', y: 85 });
  expect(out).toEqual({ ...a, id: 'out', type: 'source', position: 'right', x: CARD_WIDTH - 6 });
  expect(cardHandles(view(1, ['a'], []))[0]?.y).toBe(98);
});
