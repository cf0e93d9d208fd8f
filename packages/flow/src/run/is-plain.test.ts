import { expect, it } from 'vitest';
import { isPlain } from './is-plain.ts';

it('JSON keeps lists, objects and scalars, in any depth and more than once', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const shared = { a: 1 };
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const value of [null, 'a', 1, true, undefined, [shared, shared], Object.create(null), deep, circle])
    expect(isPlain(value)).toBe(true);
});

it.each([
  ['a function', () => undefined],
  ['a symbol', Symbol('x')],
  ['a bigint', 1n],
  ['a date', new Date()],
  ['a map', new Map()],
])('JSON does not keep %s, at the top or inside', (_, value) => {
  expect(isPlain(value)).toBe(false);
  expect(isPlain({ list: [1, { value }] })).toBe(false);
});
