import { expect, it } from 'vitest';
import { portsOf } from '../testing.ts';
import { LoopComponent } from './loop.ts';

it('gives one row for each run of its body', () => {
  const run = (data: unknown) => Object.assign(new LoopComponent(), { data }).run().item;
  expect(run([{ a: 1 }, { a: 2 }])).toEqual([{ a: 1 }, { a: 2 }]);
  expect(run({ a: 1 })).toEqual([{ a: 1 }]);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new LoopComponent())).toEqual([
    'data: handle Table Data Message required',
    'item: gives Data Message File loop',
    'done: gives Table',
  ]);
});
