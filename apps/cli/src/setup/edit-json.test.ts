import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { appendItem, findProperty, isObject, jsonTree, removeItem, removeProperty, setProperty } from './edit-json.ts';

describe('a new property', () => {
  it.each([
    ['{}', '{\n  "k": 1\n}'],
    ['{ }', '{\n  "k": 1\n}'],
    ['{"a":1}', '{"a":1,"k":1}'],
    ['{\n  "a": 1\n}', '{\n  "a": 1,\n  "k": 1\n}'],
    ['{\n    "a": 1\n}', '{\n    "a": 1,\n    "k": 1\n}'],
    ['{\r\n\t"a": 1\r\n}\r\n', '{\r\n\t"a": 1,\r\n\t"k": 1\r\n}\r\n'],
    ['{\n  "a": 1, // first\n}', '{\n  "a": 1, // first\n  "k": 1,\n}'],
    ['{\n  "a": 1 // first\n  // last\n}', '{\n  "a": 1, // first\n  "k": 1\n  // last\n}'],
    ['{\n  // only\n}', '{\n  "k": 1\n  // only\n}'],
  ])('of %j gives %j', (before, after) => {
    expect(setProperty(before, [], 'k', 1)).toBe(after);
  });

  it('is in the object that the path names', () => {
    expect(setProperty('{"a":{"b":[{"c":1}]}}', ['a', 'b', 0], 'k', 'x')).toBe('{"a":{"b":[{"c":1,"k":"x"}]}}');
    expect(() => setProperty('{"a":[]}', ['a'], 'k', 1)).toThrow('no object at a');
  });
});

describe('a changed property', () => {
  it('has its new value, and all else stays', () => {
    expect(setProperty('{ "k": 0, /* c */ "b": 2 }', [], 'k', 1)).toBe('{ "k": 1, /* c */ "b": 2 }');
    const same = '{ "k" : [ 1,2 ] }';
    expect(setProperty(same, [], 'k', [1, 2])).toBe(same);
    expect(setProperty('{"k":1,"k":2}', [], 'k', 3)).toBe('{"k":1,"k":3}');
    expect(setProperty('{\n  "k": 1\n}', [], 'k', { a: 1 })).toBe('{\n  "k": {\n    "a": 1\n  }\n}');
  });

  it('keeps the other properties of an object', () => {
    expect(parse(setProperty('{"k":{"own":1,"b":2}}', [], 'k', { b: 3, c: 4 }))).toEqual({ k: { own: 1, b: 3, c: 4 } });
  });
});

describe('a removed property', () => {
  it.each([
    ['{"k":1}', '{}'],
    ['{\n  "k": 1\n}', '{}'],
    ['{"a":1,"k":1}', '{"a":1}'],
    ['{"k":1,"a":1}', '{"a":1}'],
    ['{\n  "a": 1,\n  "k": 1\n}', '{\n  "a": 1\n}'],
    ['{\n  "k": 1, // why\n  "a": 1\n}', '{\n  "a": 1\n}'],
    ['{\n  "a": 1,\n  "k": 1,\n}', '{\n  "a": 1,\n}'],
    ['{\n  // kept\n  "k": 1\n}', '{\n  // kept\n}'],
    ['{"a":1}', '{"a":1}'],
  ])('of %j leaves %j', (before, after) => {
    expect(removeProperty(before, [], 'k')).toBe(after);
  });
});

it('adds and removes items of a list', () => {
  expect(appendItem('{"l":[1]}', ['l'], 2)).toBe('{"l":[1,2]}');
  expect(appendItem('{\n  "l": [\n    1\n  ]\n}', ['l'], { a: 1 })).toBe(
    '{\n  "l": [\n    1,\n    {\n      "a": 1\n    }\n  ]\n}',
  );
  expect(removeItem('{"l":[1,2,3]}', ['l'], 1)).toBe('{"l":[1,3]}');
  expect([removeItem('{"l":[1]}', ['l'], 0), removeItem('{"l":[1]}', ['l'], 7)]).toEqual(['{"l":[]}', '{"l":[1]}']);
});

it('brings a text back when what was added is removed', () => {
  for (const text of ['{"a":1}', '{\n  "a": 1\n}', '{\r\n  "a": 1, // c\r\n}\r\n', '{\n  "a": { "b": 2 } // x\n}\n'])
    expect(removeProperty(setProperty(text, [], 'k', { x: [1] }), [], 'k'), text).toBe(text);
});

it('finds the last of several properties, and knows objects', () => {
  const tree = jsonTree('{"k":1,"k":2,}');
  expect(tree && findProperty(tree, 'k')?.children?.[1]?.value).toBe(2);
  expect([{}, [], null, 'x'].map(isObject)).toEqual([true, false, false, false]);
});
