import { describe, expect, it } from 'vitest';
import { foldKey, hasMisspeltKey, isObject, parseWireJson } from './wire-json.ts';

describe('JSON from a wire', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  it('is read as every client reads it', () => {
    expect(parseWireJson('\uFEFF{"a":{"b":[1,{"c:{":"}"}]}}')?.value).toEqual({ a: { b: [1, { 'c:{': '}' }] } });
    expect(parseWireJson('[1,')).toBeUndefined();
  });

  it('is rejected if a key occurs twice, in any spelling', () => {
    expect(parseWireJson('{"a":1,"b":{"x":1,"\\u0078":2}}')).toBeUndefined();
  });

  it('is rejected if it is too deep to be written again', () => {
    expect(parseWireJson(nested(512))).toBeDefined();
    expect(parseWireJson(nested(513))).toBeUndefined();
    expect(parseWireJson(nested(500_000))).toBeUndefined();
    expect(parseWireJson(JSON.stringify([nested(600)]))).toBeDefined();
  });
});

describe('strings of JSON from a wire', () => {
  it.each([
    ['"a:b"', 'a:b'],
    ['{"a\\\\":1}', { 'a\\': 1 }],
    ['{"a\\"b:":":\\\\\\""}', { 'a"b:': ':\\"' }],
    ['[{"a":null},{"a":[]}]', [{ a: null }, { a: [] }]],
    ['null', null],
    ['1', 1],
  ])('are not read as members: %s', (text, value) => {
    expect(parseWireJson(text)).toEqual({ value });
  });

  it.each(['{"a":1,"a":1}', '[[{"a":{},"a":{}}]]', '', '\uFEFF\uFEFF{}', '{"__proto__":1,"__proto__":2}'])(
    'are not accepted in another reading: %j',
    (text) => {
      expect(parseWireJson(text)).toBeUndefined();
    },
  );

  it('may be many levels beside each other', () => {
    expect(parseWireJson(`[${'[],'.repeat(600)}{}]`)).toBeDefined();
    expect(parseWireJson('{"a":'.repeat(513) + '1' + '}'.repeat(513))).toBeUndefined();
  });
});

it('knows objects, and keys that differ in case only', () => {
  expect([{}, [], null, 'a', undefined].map(isObject)).toEqual([true, false, false, false, false]);
  const names = new Set(['tool_calls', 'k']);
  expect(['tool_calls', 'Tool_Calls', 'other', '\u212a'].map((key) => hasMisspeltKey({ [key]: 1 }, names))).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(hasMisspeltKey({ a: 1, K: 2 }, names)).toBe(true);
  expect([foldKey('Aſ'), foldKey('x')]).toEqual(['as', 'x']);
});
