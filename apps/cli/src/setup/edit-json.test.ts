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
    ['{"a":1,}', '{"a":1,"k":1,}'],
    ['{"a":1 /* c */}', '{"a":1, /* c */"k":1}'],
    ['{\n  "a": 1, /* c */ // d\n\n}', '{\n  "a": 1, /* c */ // d\n  "k": 1,\n\n}'],
    ['{\n  "a": 1 /* c */,\n}', '{\n  "a": 1 /* c */,\n  "k": 1,\n}'],
    ['{\n  "a": 1\n  , // late\n}', '{\n  "a": 1\n  , // late\n  "k": 1,\n}'],
    ['{\n  "a": {\n    // x\n  }\n}', '{\n  "a": {\n    // x\n  },\n  "k": 1\n}'],
    ['{\n  "a": { "b": 1 }\n}', '{\n  "a": { "b": 1 },\n  "k": 1\n}'],
    ['{ // c\n}', '{ // c\n  "k": 1\n}'],
    ['{\r\n}', '{\r\n  "k": 1\r\n}'],
  ])('of %j gives %j', (before, after) => {
    expect(setProperty(before, [], 'k', 1)).toBe(after);
  });

  it('is in the object that the path names', () => {
    expect(setProperty('{"a":{"b":[{"c":1}]}}', ['a', 'b', 0], 'k', 'x')).toBe('{"a":{"b":[{"c":1,"k":"x"}]}}');
    expect(() => setProperty('{"a":[]}', ['a'], 'k', 1)).toThrow(new TypeError('no object at a'));
    expect(() => setProperty('{"a":1}', ['b', 'c'], 'k', 1)).toThrow('no object at b.c');
    expect(() => appendItem('{"a":{}}', ['a'], 1)).toThrow('no array at a');
  });

  it.each([
    ['{"a":{}}', '{"a":{"k":{"x":[1]}}}'],
    ['{\n  "a": {}\n}', '{\n  "a": {\n    "k": {\n      "x": [\n        1\n      ]\n    }\n  }\n}'],
    [
      '{\n  "a": {\n    // x\n  }\n}',
      '{\n  "a": {\n    "k": {\n      "x": [\n        1\n      ]\n    }\n    // x\n  }\n}',
    ],
    [
      '{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}',
      '{\r\n\t"a": {\r\n\t\t"b": 1,\r\n\t\t"k": {\r\n\t\t\t"x": [\r\n\t\t\t\t1\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}',
    ],
  ])('with a list in an inner object of %j gives %j', (before, after) => {
    expect(setProperty(before, ['a'], 'k', { x: [1] })).toBe(after);
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

  it('takes the place of a value of another kind, on one line where its object is', () => {
    expect(setProperty('{"k":[1]}', [], 'k', { a: 1 })).toBe('{"k":{"a":1}}');
    expect(setProperty('{"k":{"a":1}}', [], 'k', 5)).toBe('{"k":5}');
    expect(setProperty('{"k":1}', [], 'k', null)).toBe('{"k":null}');
    expect(setProperty('{ "a": { "k": 1 }\n}', ['a'], 'k', { a: 1 })).toBe('{ "a": { "k": {"a":1} }\n}');
    expect(setProperty('{\n\t"k": 1\n}', [], 'k', { a: [1] })).toBe('{\n\t"k": {\n\t\t"a": [\n\t\t\t1\n\t\t]\n\t}\n}');
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
    ['{"a":1 , "k":1}', '{"a":1 }'],
    ['{ "k": 1, "a": 1 }', '{ "a": 1 }'],
    ['{\n  "a": 1, "k": 2\n}', '{\n  "a": 1\n}'],
    ['{\n  "a": 1\n  , "k": 2\n}', '{\n  "a": 1\n  \n}'],
    ['{\n  "k": 1\n  ,\n  "a": 1\n}', '{\n  "a": 1\n}'],
    ['{\n  "a": 1, // a\n  "k": 1 // k\n}', '{\n  "a": 1 // a\n}'],
    ['{ /* c */ "k": 1 }', '{ /* c */ }'],
    ['{\n  "k": 1 // why\n}', '{}'],
    ['{"k":1,}', '{}'],
    ['{\r\n  "k": 1,\r\n  "a": 1\r\n}', '{\r\n  "a": 1\r\n}'],
    ['{\n  "b": 0,\n  "k": 1,\n  "a": 1\n}', '{\n  "b": 0,\n  "a": 1\n}'],
    ['{"k":1,/* c */"a":1}', '{/* c */"a":1}'],
    ['{"a":1,"k":1,}', '{"a":1,}'],
    ['{"k":0,"k":1}', '{"k":0}'],
    ['{"b":{"k":1}}', '{"b":{"k":1}}'],
  ])('of %j leaves %j', (before, after) => {
    expect(removeProperty(before, [], 'k')).toBe(after);
  });
});

it('removes a property of an inner object', () => {
  expect(removeProperty('{"b":{"k":1}}', ['b'], 'k')).toBe('{"b":{}}');
});

it.each([
  ['{"l":[]}', '{"l":[{"a":1}]}'],
  ['{\n  "l": []\n}', '{\n  "l": [\n    {\n      "a": 1\n    }\n  ]\n}'],
  ['{"l":[1,]}', '{"l":[1,{"a":1},]}'],
  ['{\n  "l": [\n    1, // one\n  ]\n}', '{\n  "l": [\n    1, // one\n    {\n      "a": 1\n    },\n  ]\n}'],
])('adds an item to the list of %j', (before, after) => {
  expect(appendItem(before, ['l'], { a: 1 })).toBe(after);
});

it.each([
  ['{"l":[1,2]}', 0, '{"l":[2]}'],
  ['{"l":[1,2]}', 1, '{"l":[1]}'],
  ['{"l":[1,2,3,]}', 2, '{"l":[1,2,]}'],
  ['{\n  "l": [\n    1,\n    2\n  ]\n}', 1, '{\n  "l": [\n    1\n  ]\n}'],
  ['{\n  "l": [\n    1, // one\n    2\n  ]\n}', 0, '{\n  "l": [\n    2\n  ]\n}'],
])('of the list of %j removes item %i', (before, index, after) => {
  expect(removeItem(before, ['l'], index)).toBe(after);
});

it('adds and removes items of a list', () => {
  expect(appendItem('{"l":[[1]]}', ['l', 0], 2)).toBe('{"l":[[1,2]]}');
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
