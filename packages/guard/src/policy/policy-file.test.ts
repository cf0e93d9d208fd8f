import { describe, expect, it } from 'vitest';
import { GuardConfigError } from './guard-config-error.ts';
import { readPolicyFile, type Setting, SettingsMap } from './policy-file.ts';

const read = (text: string) => readPolicyFile('/c.yaml', text);
const problem = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof GuardConfigError) return error.message;
    throw error;
  }
  return 'none';
};

describe('a configuration file', () => {
  it('gives each value with its line and column', () => {
    const [first, second] = read('a: 1\nb:\n  - x\n  - true\n').entries;
    expect(first).toMatchObject({ key: 'a', line: 1, column: 1, setting: { value: 1, line: 1, column: 4 } });
    const items = second?.setting.value as readonly Setting[];
    expect(items).toMatchObject([
      { value: 'x', line: 3, column: 5 },
      { value: true, line: 4, column: 5 },
    ]);
  });

  it('may be empty, and a key may have no value', () => {
    for (const text of ['', '# only a comment\n', '---\n', 'null']) expect(read(text).entries, text).toEqual([]);
    expect(read('a:\n  ? b\n').entries[0]?.setting.value).toMatchObject({
      entries: [{ key: 'b', line: 2, column: 5, setting: { value: null, line: 2, column: 5 } }],
    });
    expect(read('a:\nb: ~\n').entries.map(({ setting }) => setting.value)).toEqual([null, null]);
  });

  it('nests as deeply as a policy does, and no deeper', () => {
    const nested = (depth: number) => `${Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}k:`).join('\n')} 1`;
    let value: Setting['value'] | undefined = read(nested(6));
    for (let i = 0; i < 6; i++) value = (value as SettingsMap).entries[0]?.setting.value;
    expect(value).toBe(1);
    expect(problem(nested(7))).toBe('/c.yaml:7:10: is nested too deeply');
  });

  it('has at most 64 KiB', () => {
    const of = (bytes: number) => `a: ${'x'.repeat(bytes - 3)}`;
    expect(read(of(65_536)).entries).toHaveLength(1);
    expect(problem(of(65_537))).toBe('/c.yaml:1:1: is larger than 65536 bytes');
  });

  it.each([
    ['a: &x 1\nb: *x', '/c.yaml:1:7: anchors and aliases are not understood here: write the value out'],
    ['a: 1\nb: !!js/function x', '/c.yaml:2:4: '],
    ['a: !secret x', '/c.yaml:1:4: '],
    ['[a, b]', '/c.yaml:1:1: must be a list of "key: value" lines'],
    ['text', '/c.yaml:1:1: must be a list of "key: value" lines'],
    ['a: 1\na: 2', '/c.yaml:2:1: Map keys must be unique'],
    ['? [a]\n: 1', '/c.yaml:1:3: a key must be a plain text'],
    ['a: [1', '/c.yaml:1:6: '],
  ])('is refused with the place: %j', (text, message) => {
    expect(problem(text)).toContain(message);
  });
});
