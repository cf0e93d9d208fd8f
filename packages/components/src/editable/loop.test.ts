import { expect, it } from 'vitest';
import { LoopComponent } from './loop.ts';

it('gives one row for each run of its body', () => {
  const run = (data: unknown) => Object.assign(new LoopComponent(), { data }).run().item;
  expect(run([{ a: 1 }, { a: 2 }])).toEqual([{ a: 1 }, { a: 2 }]);
  expect(run({ a: 1 })).toEqual([{ a: 1 }]);
});
