import { describe, expect, it } from 'vitest';
import { parseWireJson } from './wire-json.ts';

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
