import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { FirstAvailable } from './first-available.ts';

it('gives the first value that arrived', () => {
  const run = (values: unknown[]) => Object.assign(new FirstAvailable(), { values }).run();
  expect([run(['a', 'b']), run([['a', 'b']])]).toEqual([{ value: 'a' }, { value: ['a', 'b'] }]);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new FirstAvailable())).toEqual([
    'values: handle Message Data Table File Any keepsLists list required',
    'value: gives Message Data Table File Any',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new FirstAvailable())).toEqual([
    'First available (git-merge): Gives the value of the branch that was taken.',
    '',
    'values: Values',
    'value: Value',
  ]);
});
