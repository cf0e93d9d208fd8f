import { InvalidArgumentError } from 'commander';
import { expect, it } from 'vitest';
import { collectValues } from './collect-values.ts';

it('adds each value of a repeated option, and refuses an empty one', () => {
  const before = ['a'];
  expect([collectValues('b', before), before]).toEqual([['a', 'b'], ['a']]);
  expect(() => collectValues('', before)).toThrow(InvalidArgumentError);
});
