import { expect, it } from 'vitest';
import { FirstAvailable } from './first-available.ts';

it('gives the first value that arrived', () => {
  const run = (values: unknown[]) => Object.assign(new FirstAvailable(), { values }).run();
  expect([run(['a', 'b']), run([['a', 'b']])]).toEqual([{ value: 'a' }, { value: ['a', 'b'] }]);
});
