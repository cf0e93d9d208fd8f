import { expect, it } from 'vitest';
import { isTooLarge, MAX_JSON, measureJson } from './measure-json.ts';

it.each([
  ['', 0, 0],
  ['{"a":1}', 1, 1],
  ['[1,2,3]', 3, 1],
  ['{"a":[],"b":{}}', 4, 2],
  ['[[],[[{}]],[]]', 8, 4],
  ['["a,[{\\",","\\\\",{}]', 4, 2],
])('measures the values and levels of %j, however it is cut', (text, values, depth) => {
  const bytes = Buffer.from(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const measure = measureJson();
    measure(bytes.subarray(0, cut));
    expect(measure(bytes.subarray(cut))).toEqual({ values, depth });
  }
});

it('is too large with a value or a level more than the most', () => {
  const most = { values: 3, depth: 2 };
  expect(['[[1,2]]', '[[1,2,3]]', '[[[]]]'].map((text) => isTooLarge(measureJson()(Buffer.from(text)), most))).toEqual([
    false,
    true,
    true,
  ]);
});

it('reads a million values and a thousand levels at most', () => {
  expect(MAX_JSON).toEqual({ values: 1_000_000, depth: 1_000 });
  expect([
    isTooLarge(MAX_JSON),
    isTooLarge({ values: 1_000_001, depth: 1 }),
    isTooLarge({ values: 1, depth: 1_001 }),
  ]).toEqual([false, true, true]);
});
