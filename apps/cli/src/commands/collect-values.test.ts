import { expect, it } from 'vitest';
import { collectValues } from './collect-values.ts';

it('adds each value of a repeated option, and leaves the list before as it is', () => {
  const before = ['a'];
  expect([collectValues('b', before), before]).toEqual([['a', 'b'], ['a']]);
});
