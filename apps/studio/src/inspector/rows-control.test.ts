import type { Json } from '@croft/flow';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pairsOf, readPairs } from './rows-control.tsx';

it.each<[string, Json]>([
  ['text', 'text'],
  ['7', 7],
  ['007', '007'],
  ['true', true],
  ['"7"', '7'],
  ['{"a": 1}', { a: 1 }],
  ['{a}', '{a}'],
  ['', ''],
])('reads the value %s as %j', (value, expected) => {
  expect(readPairs([{ name: 'x', value }])).toEqual({ x: expected });
});

it('leaves out rows without a name', () => {
  expect(
    readPairs([
      { name: '', value: 'x' },
      { name: 'a', value: '1' },
    ]),
  ).toEqual({ a: 1 });
});

it('shows every object so that reading the rows gives it again', () => {
  const values = fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(values, (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as Record<string, Json>;
      expect(readPairs(pairsOf(plain))).toEqual(plain);
    }),
  );
});
