import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readJson } from './read-json.ts';

it('reads every value that is written as JSON, and an empty text as no value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 2);
      expect(readJson(text)).toEqual({ value: JSON.parse(text) });
    }),
  );
  expect(readJson(' \n')).toEqual({ value: null });
});

it.each([
  ['{\n  "a": 1,\n  oops\n}', 3],
  ['[1,\n2,,3]', 2],
  ['{"a": [1, 2},\n"b": 1}', 1],
  ['{"a": 1}\n\n{}', 3],
  ['{\n"a" 1}', 2],
  ['[\n1,\n]', 3],
  ["[\n'a']", 2],
])('names the line of the first error in %j', (text, line) => {
  expect(readJson(text)).toEqual({ problem: `Line ${line} is not valid JSON.`, line });
});

it('says that JSON ends too early', () => {
  expect(readJson('{\n"a": [1')).toEqual({ problem: 'The JSON ends too early, in line 2.', line: 2 });
});

it('finds a character that follows a whole value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = `${JSON.stringify(value, null, 2)}\n@`;
      expect(readJson(text)).toMatchObject({ line: text.split('\n').length });
    }),
  );
});

it.each([
  ['{"a": 1', 'The JSON ends too early, in line 1.'],
  ['[\n1,', 'The JSON ends too early, in line 2.'],
  ['{"a":\n', 'The JSON ends too early, in line 2.'],
  ['{\n"a"\n', 'The JSON ends too early, in line 3.'],
  ['[1,\n}', 'Line 2 is not valid JSON.'],
  ['[\n,1]', 'Line 2 is not valid JSON.'],
  ['[\n:1]', 'Line 2 is not valid JSON.'],
  ['{\n1: 2}', 'Line 2 is not valid JSON.'],
  ['{"a": 1,\n}', 'Line 2 is not valid JSON.'],
  ['{"a": 1,\n2}', 'Line 2 is not valid JSON.'],
  ['{"a"\n, 1}', 'Line 2 is not valid JSON.'],
  ['{"a":\n}', 'Line 2 is not valid JSON.'],
  ['{"a":\n:}', 'Line 2 is not valid JSON.'],
  ['[1\n: 2]', 'Line 2 is not valid JSON.'],
  ['[1\n2]', 'Line 2 is not valid JSON.'],
  ['[[1]\n2]', 'Line 2 is not valid JSON.'],
  ['{"a":{}\n:1}', 'Line 2 is not valid JSON.'],
  ['{"a":1,\n"b":{},\nc}', 'Line 3 is not valid JSON.'],
  ['{"a": [\n}', 'Line 2 is not valid JSON.'],
  ['{\n]', 'Line 2 is not valid JSON.'],
  ['}', 'Line 1 is not valid JSON.'],
  ['1\n}', 'Line 2 is not valid JSON.'],
  ['true\nfalse', 'Line 2 is not valid JSON.'],
  ['"a\nb"', 'Line 1 is not valid JSON.'],
  ['[\n01]', 'Line 2 is not valid JSON.'],
  ['[1,\n"\\x"]', 'Line 2 is not valid JSON.'],
])('says what is wrong in %j', (text, problem) => {
  expect(readJson(text)).toMatchObject({ problem });
});

it.each([
  ['\n\n@', 3],
  ['@', 1],
  ['\n {', 2],
  ['', 0],
])('counts lines from the start of %j', (text, line) => {
  expect('line' in readJson(text) ? readJson(text) : { line: 0 }).toMatchObject({ line });
});
