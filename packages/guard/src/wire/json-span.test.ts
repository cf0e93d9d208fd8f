import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementSpans, replaceSpans, spanOf } from './json-span.ts';

const at = (text: string, ...path: (string | number)[]) => {
  const span = spanOf(text, path);
  return span && text.slice(span.start, span.end);
};

describe('the value at a path of a JSON text', () => {
  it('is cut out as it is written', () => {
    const text = '\ufeff { "a" : [ 1.50 , {"b":"x\\"]}"} ,null],"c":\t1e400 }';
    expect(at(text)).toBe('{ "a" : [ 1.50 , {"b":"x\\"]}"} ,null],"c":\t1e400 }');
    expect(at(text, 'a', 0)).toBe('1.50');
    expect(at(text, 'a', 1, 'b')).toBe('"x\\"]}"');
    expect(at(text, 'a', 2)).toBe('null');
    expect(at(text, 'c')).toBe('1e400');
    expect(at('{"\\u0061":1}', 'a')).toBe('1');
    expect(at('{"a":"\\\\"}', 'a')).toBe('"\\\\"');
  });

  it('does not exist behind a value that has no members, or at a place beyond the end', () => {
    const text = '{"a":[1,2],"b":"a"}';
    for (const path of [['x'], ['a', 2], ['a', 'b'], ['b', 0], ['b', 'a'], [0]])
      expect(at(text, ...path)).toBeUndefined();
    expect(at('{}', 'a')).toBeUndefined();
    expect(at('[]', 0)).toBeUndefined();
  });

  it('is ambiguous below a key that occurs twice, however it is written', () => {
    expect(at('{"a":1,"a":2}', 'a')).toBeUndefined();
    expect(at('{"a":1,"\\u0061":2}', 'a')).toBeUndefined();
    expect(at('{"a":1,"b":{"a":2}}', 'a')).toBe('1');
  });

  it('is what JSON.parse reads there', () => {
    const name = fc.constantFrom('a', 'b"', 'c\\', 'ü', '');
    fc.assert(
      fc.property(fc.dictionary(name, fc.json({ maxDepth: 3 })), name, (values, key) => {
        const text = `{${Object.entries(values)
          .map(([each, value]) => `${JSON.stringify(each)} : ${value}`)
          .join(' , ')}}`;
        expect(at(text, key)).toBe(Object.hasOwn(values, key) ? values[key] : undefined);
      }),
      { numRuns: 100 },
    );
  });
});

it('finds all elements of a list where it finds each', () => {
  const text = '{"a" : [ 1.50 , {"b":[","]} ,"]" ,[],null ],"b":[],"c":{"d":1}}';
  expect(elementSpans(text, ['a']).map(({ start, end }) => text.slice(start, end))).toEqual(
    [0, 1, 2, 3, 4].map((place) => at(text, 'a', place)),
  );
  for (const path of [['b'], ['c'], ['x']]) expect(elementSpans(text, path)).toEqual([]);
  expect(elementSpans('{"a":[1],"a":[2]}', ['a'])).toEqual([]);
});

it('replaces values in any order, and leaves every other byte', () => {
  const text = '{"a":1.0,"b":[2,3] }';
  const span = (...path: (string | number)[]) => spanOf(text, path) as NonNullable<ReturnType<typeof spanOf>>;
  expect(
    replaceSpans(text, [
      { span: span('b', 1), text: '"x"' },
      { span: span('a'), text: '{}' },
    ]),
  ).toBe('{"a":{},"b":[2,"x"] }');
  expect(replaceSpans(text, [])).toBe(text);
});
