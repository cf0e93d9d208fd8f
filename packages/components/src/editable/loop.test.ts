import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
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

it('shows these texts to people and models', () => {
  expect(textsOf(new LoopComponent())).toEqual([
    'Loop (iteration-ccw): Runs the components after "item" once for each row. Connect the end of the body back to "item"; "done" has all results.',
    '',
    'data: Rows',
    'item: Item',
    'done: Done',
  ]);
});
