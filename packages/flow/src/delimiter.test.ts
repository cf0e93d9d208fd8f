import { expect, it } from 'vitest';
import { delimiterOf } from './delimiter.ts';

it.each([
  ['City, State, Country\tPopulation', 'a.tsv', '\t'],
  ['Last, First', 'A.TSV', '\t'],
  ['City, State, Country\tPopulation', 'a.csv', ','],
  ['"a, b, c, d";x;y\n1,2,3,4,5', '', ';'],
  ['\ufeff"a, ""b"", c";x', '', ';'],
  ['"a,\nb,c";x', '', ';'],
  ['\r\n\n\na;b', '', ';'],
  ['a;b\r1,2,3\r', '', ';'],
  ['5" disk;price', '', ';'],
  ['"open;a;b\n1,2', '', ';'],
  ['a;b,c', '', ','],
  ['name', '', ','],
  ['', '', ','],
])('of %j in a file %j is %j', (text, name, delimiter) => {
  expect(delimiterOf(text, name)).toBe(delimiter);
});

it.each(['"', ',"', ',""', ',"""', ',"x""', '""', ',"\n', '"",'])('is found in a line of many %j', (part) => {
  expect(delimiterOf(`"${part.repeat(200_000)}`, '')).toBe(',');
});
