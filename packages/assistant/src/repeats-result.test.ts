import { expect, it } from 'vitest';
import { repeatsResult } from './repeats-result.ts';

it.each([
  ['Ran it: Words: 3, lines: 1', 'Words: 3, lines: 1'],
  ['The answer: **42**.', '42'],
  ['I counted them.\n\n**42**', '42'],
  ['The lines:\n\n1\n2\n', '1\n2'],
  ['I saw that notes.md has 12 words in it.', 'notes.md has 12 words'],
  ['Here it is:\n\n```\nNorth: 160\nSouth: 80\n```', 'North: 160\nSouth: 80\n'],
  ['42', '42'],
  ['| region | total |\n| --- | --- |\n| North | 160 |', '| region | total |\n| ---    | ---   |\n| North | 160 |'],
])('a reply repeats a result, also with other spaces and marks: %j', (reply, result) => {
  expect(repeatsResult(reply, result)).toBe(true);
});

it.each([
  ['Built “Count rows”: 4 components, 3 connections.\n\nRan it.', '3'],
  ['I kept the rows with an amount over 10', '10'],
  ['142, then 42', '42'],
  ['It is 42.', '42'],
  ['a, 42, b', '42'],
  ['x.42', '42'],
  ['x42', '42'],
  ['42x', '42'],
  ['1,42', '42'],
  ['42,1', '42'],
  ['I ran it.', 'Words: 3, lines: 1'],
  ['It has 142 rows, -42 or 0.42 of 42.5', '42'],
  ['North has 160.', 'North: 160\nSouth: 80'],
  ['', ''],
  ['Nothing came out.', ''],
])('a reply without the whole result repeats nothing: %j', (reply, result) => {
  expect(repeatsResult(reply, result)).toBe(false);
});
