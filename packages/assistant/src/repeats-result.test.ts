import { expect, it } from 'vitest';
import { repeatsResult } from './repeats-result.ts';

it.each([
  ['Ran it: Words: 3, lines: 1', 'Words: 3, lines: 1'],
  ['The answer is **42**.', '42'],
  ['Here it is:\n\n```\nNorth: 160\nSouth: 80\n```', 'North: 160\nSouth: 80\n'],
  ['| region | total |\n| --- | --- |\n| North | 160 |', '| region | total |\n| ---    | ---   |\n| North | 160 |'],
])('a reply repeats a result, also with other spaces and marks: %j', (reply, result) => {
  expect(repeatsResult(reply, result)).toBe(true);
});

it.each([
  ['I ran it.', 'Words: 3, lines: 1'],
  ['It has 142 rows, -42 or 0.42 of 42.5', '42'],
  ['North has 160.', 'North: 160\nSouth: 80'],
  ['', ''],
  ['Nothing came out.', ''],
])('a reply without the whole result repeats nothing: %j', (reply, result) => {
  expect(repeatsResult(reply, result)).toBe(false);
});
