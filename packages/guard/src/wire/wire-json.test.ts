import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldKey, hasMisspeltKey, parseWireJson } from './wire-json.ts';

it('reads whatever JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseWireJson(text)).toEqual({ value: JSON.parse(text) });
      expect(parseWireJson(JSON.stringify(JSON.parse(text), null, 2))).toEqual({ value: JSON.parse(text) });
    }),
    { numRuns: 2000 },
  );
});

it.each(['{"a":1,"a":2}', '{"b":[{"a":1,"\\u0061":2}]}', '{"__proto__":1,"__proto__":2}', '{"x":{"a":"\\":","a":1}}'])(
  'reads no object in which a key stands twice: %s',
  (text) => {
    expect(parseWireJson(text)).toBeUndefined();
  },
);

it('reads past quotes, backslashes and colons inside strings', () => {
  expect(parseWireJson('{"a\\\\":"\\\\\\":\\"","b:":":"}')).toEqual({ value: { 'a\\': '\\":"', 'b:': ':' } });
});

it('knows a key in other letters', () => {
  expect(foldKey('Tool_CALLſ')).toBe('tool_calls');
  expect(hasMisspeltKey({ Choices: [] }, new Set(['choices']))).toBe(true);
  expect(hasMisspeltKey({ choices: [], x: 1 }, new Set(['choices']))).toBe(false);
});
