import { expect, it } from 'vitest';
import { countValues } from './count-values.ts';

it.each([
  ['', 0],
  ['{"a":1}', 1],
  ['[1,2,3]', 3],
  ['{"a":[],"b":{}}', 4],
  ['["a,[{\\",","\\\\",{}]', 4],
])('counts the values of %j, however it is cut', (text, count) => {
  const bytes = Buffer.from(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const values = countValues();
    values(bytes.subarray(0, cut));
    expect(values(bytes.subarray(cut))).toBe(count);
  }
});
