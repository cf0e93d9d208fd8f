import { expect, it } from 'vitest';
import { isTooLarge, measureJson } from './measure-json.ts';

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
