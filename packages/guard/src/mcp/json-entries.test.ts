import { expect, it } from 'vitest';
import { jsonEntries } from './json-entries.ts';

it('gives the members of the outermost object as they are written, with duplicates', () => {
  expect(jsonEntries('{"a": 1.0e2 , "b":{"c":[1,{"d":","}]},"a":"x,}\\"{", "\\u0065":null}')).toEqual([
    { key: 'a', raw: '1.0e2' },
    { key: 'b', raw: '{"c":[1,{"d":","}]}' },
    { key: 'a', raw: '"x,}\\"{"' },
    { key: 'e', raw: 'null' },
  ]);
});

it('gives none of an empty object', () => {
  expect(jsonEntries(' { } ')).toEqual([]);
});

it('takes a colon and quotes inside of values for text', () => {
  expect(jsonEntries('{"a":":\\"b\\":1","c":[]}')).toEqual([
    { key: 'a', raw: '":\\"b\\":1"' },
    { key: 'c', raw: '[]' },
  ]);
});
