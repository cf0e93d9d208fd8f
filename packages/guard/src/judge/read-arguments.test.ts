import { describe, expect, it } from 'vitest';
import { MAX_ARGUMENT_CHARS, MAX_ARGUMENT_DEPTH, readArguments, readJson } from './read-arguments.ts';
import type { Stop } from './stop.ts';

function ruleOf(act: () => unknown): string {
  try {
    act();
    return 'read';
  } catch (error) {
    return (error as Stop).rule;
  }
}

describe('the arguments of a call', () => {
  it('are an empty object if missing', () => {
    for (const given of [undefined, null, '', ' \n']) expect(readArguments(given)).toEqual({});
  });

  it('are parsed as strict JSON', () => {
    expect(readArguments('{"a":{"b":[1,{"c":"}\\"{,"}]},"d":"\\\\"}')).toEqual({
      a: { b: [1, { c: '}"{,' }] },
      d: '\\',
    });
    for (const text of ['{', "{'a':1}", '{"a":1,}', '{"a":1}}', 'a', '{"a":1}\0', '\ufeff{}', '{"a":01}'])
      expect(
        ruleOf(() => readArguments(text)),
        text,
      ).toBe('invalid-arguments');
  });

  it('must not contain a key twice, in any spelling and at any depth', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '[{"x":{"":1,"":2}}]',
      '{"a":{"a":1},"b":[],"a":2}',
      '{"a":"\\\\","a":1}',
    ])
      expect(
        ruleOf(() => readJson(text)),
        text,
      ).toBe('ambiguous-arguments');
    for (const text of ['{"a":{"a":{"a":1}},"A":2}', '[{"a":1},{"a":2}]', '{"a":"a","b":"a"}', '{"a":["b","b"],"b":1}'])
      expect(
        ruleOf(() => readJson(text)),
        text,
      ).toBe('read');
  });

  it('must not reach a prototype', () => {
    for (const text of ['{"__proto__":{}}', '{"a":[{"constructor":1}]}', '{"\\u005f_proto__":1}'])
      expect(
        ruleOf(() => readJson(text)),
        text,
      ).toBe('ambiguous-arguments');
    expect(ruleOf(() => readArguments(JSON.parse('{"a":{"__proto__":{"path":"/etc"}}}')))).toBe('ambiguous-arguments');
    expect(ruleOf(() => readJson('{"a":"__proto__"}'))).toBe('read');
  });

  it('have a bounded size and depth, as text and as objects', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(ruleOf(() => readJson(nested(MAX_ARGUMENT_DEPTH)))).toBe('read');
    expect(ruleOf(() => readJson(nested(MAX_ARGUMENT_DEPTH + 1)))).toBe('too-large');
    expect(ruleOf(() => readJson(nested(1_000_000)))).toMatch(/too-large|invalid-arguments/);
    expect(ruleOf(() => readArguments(JSON.parse(nested(200))))).toBe('too-large');
    const given = JSON.parse(nested(MAX_ARGUMENT_DEPTH)) as unknown;
    expect(readArguments(given)).toBe(given);
    expect(ruleOf(() => readArguments([given]))).toBe('too-large');
    const big = 'x'.repeat(MAX_ARGUMENT_CHARS + 1);
    expect(ruleOf(() => readArguments({ content: big }))).toBe('too-large');
    expect(ruleOf(() => readJson(JSON.stringify(big)))).toBe('too-large');
  });

  it('are refused with the reason', () => {
    const reasonOf = (given: unknown) => {
      try {
        return readArguments(given);
      } catch (error) {
        return (error as Stop).message;
      }
    };
    const twice = (key: string) => `The arguments name "${key}" twice, and clients differ in which one they take`;
    const key = 'k'.repeat(81);
    for (const [given, reason] of [
      ['{', 'The arguments are not valid JSON, so their meaning is not known'],
      [`{"${key.slice(1)}":1,"${key.slice(1)}":1}`, twice(key.slice(1))],
      [`{"${key}":1,"${key}":1}`, twice(`${key.slice(1)}…`)],
      ['{"prototype":1}', 'The arguments hold the key "prototype", which clients read differently'],
      [{ prototype: 1 }, 'The arguments hold the key "prototype", which clients read differently'],
      ['['.repeat(65) + ']'.repeat(65), 'The arguments are nested deeper than 64 levels'],
      ['x'.repeat(MAX_ARGUMENT_CHARS + 1), 'The arguments are longer than 16 MiB'],
      [['x'.repeat(MAX_ARGUMENT_CHARS)], 'The arguments are longer than 16 MiB'],
      [{ x: 'x'.repeat(MAX_ARGUMENT_CHARS) }, 'The arguments are longer than 16 MiB'],
    ])
      expect(reasonOf(given)).toBe(reason);
    const whole = { x: 'x'.repeat(MAX_ARGUMENT_CHARS - 1) };
    expect(reasonOf(whole)).toBe(whole);
    expect(reasonOf(7)).toBe(7);
    expect(readArguments('{"a":"{\\"a\\":1,\\"a\\":2}"}')).toEqual({ a: '{"a":1,"a":2}' });
    expect(readArguments('[["a","a"],{"b":["c",{"b":1}],"c":"b"}]')).toEqual([
      ['a', 'a'],
      { b: ['c', { b: 1 }], c: 'b' },
    ]);
  });
});
