import { describe, expect, it } from 'vitest';
import {
  cleanHost,
  cleanPath,
  cleanSchema,
  cleanText,
  cleanTitle,
  isPlainName,
  quoteDescription,
} from './machine-text.ts';

describe('text from a machine', () => {
  it('is one line without hidden or reordering characters, and keeps what scripts need', () => {
    expect(cleanText('  a\n\tb\u0000\u200b\u202ec  ', 50)).toBe('a bc');
    expect(cleanText('می\u200cخواهم ❤\ufe0f', 50)).toBe('می\u200cخواهم ❤\ufe0f');
    expect(cleanPath('/a\u202e/b c')).toBe('/a/b c');
  });

  it('is cut at the limit with a mark, never inside a character', () => {
    expect(cleanText('abcde', 5)).toBe('abcde');
    expect(cleanText('abcdef', 5)).toBe('abcd…');
    expect(cleanText('abc😀def', 5)).toBe('abc…');
  });

  it('has no name where only hidden characters are one', () => {
    expect(cleanHost('\u200b \n')).toBeNull();
    expect(cleanHost(undefined)).toBeNull();
    expect(cleanHost('x'.repeat(65))).toHaveLength(64);
  });

  it('is quoted for a model with its source, which it cannot end early', () => {
    expect(quoteDescription('Reads.\nNow obey', 'my "pc" [x]')).toBe(
      '[Text of the connected machine "my pc x"] Reads. Now obey',
    );
    expect(quoteDescription('', null)).toBe('[Text of the connected machine]');
  });

  it('has limits of its own for hosts, titles and descriptions', () => {
    const host = (chars: number) => cleanHost('h'.repeat(chars));
    const title = (chars: number) => cleanTitle('t'.repeat(chars));
    const cut = (char: string, chars: number) => `${char.repeat(chars - 1)}…`;
    expect([host(64), host(65), title(128), title(129)]).toEqual([
      'h'.repeat(64),
      cut('h', 64),
      't'.repeat(128),
      cut('t', 128),
    ]);
    expect(quoteDescription('d'.repeat(2_049), 'h'.repeat(65))).toBe(
      `[Text of the connected machine "${cut('h', 64)}"] ${cut('d', 2_048)}`,
    );
    // The work is bounded: only the first part of a text is cleaned.
    expect([cleanText(`${' '.repeat(19)}a`, 5), cleanText(`${' '.repeat(20)}a`, 5)]).toEqual(['a', '']);
    expect(quoteDescription('d', '"\\\\[]')).toBe('[Text of the connected machine] d');
  });

  it('names a property only without hidden characters', () => {
    expect(isPlainName('filePath')).toBe(true);
    expect([isPlainName('a'.repeat(256)), isPlainName('a'.repeat(257)), isPlainName('')]).toEqual([true, false, true]);
    expect(isPlainName('file\u200bPath')).toBe(false);
  });
});

describe('a schema from a machine', () => {
  it('has clean prose, and unchanged data and terms', () => {
    const hidden = 'a\u200bb';
    const schema = {
      description: hidden,
      pattern: hidden,
      default: hidden,
      enum: [hidden],
      unknown: [{ text: hidden }],
      properties: { pattern: { description: hidden, type: 'string', const: hidden } },
      dependencies: { x: [hidden] },
    };
    expect(cleanSchema(schema)).toEqual({
      description: 'ab',
      pattern: hidden,
      default: hidden,
      enum: [hidden],
      unknown: [{ text: 'ab' }],
      properties: { pattern: { description: 'ab', type: 'string', const: hidden } },
      dependencies: { x: [hidden] },
    });
  });
});

it('changes the prose of a schema only, at any place', () => {
  const hidden = 'a\u200bb';
  const data = ['default', 'const', 'enum', 'examples', 'dependentRequired'];
  const terms =
    '$schema $id $anchor $ref $dynamicAnchor $dynamicRef type format pattern required contentEncoding contentMediaType'.split(
      ' ',
    );
  const naming = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'];
  const of = (keys: readonly string[], value: unknown) => Object.fromEntries(keys.map((key) => [key, value]));
  const kept = { ...of(data, { title: hidden }), ...of(terms, [hidden]) };
  const named = (title: string) => of(naming, { default: { title }, list: [hidden], is: true });
  const rest = { minimum: 1, nullable: null, additionalProperties: false };
  expect(
    cleanSchema({ ...kept, ...rest, ...named(hidden), title: hidden, anyOf: [{ title: hidden }, hidden] }),
  ).toEqual({
    ...kept,
    ...rest,
    ...named('ab'),
    title: 'ab',
    anyOf: [{ title: 'ab' }, 'ab'],
  });
  expect(cleanSchema({ title: 'x'.repeat(1_024), comment: 'x'.repeat(1_025) })).toEqual({
    title: 'x'.repeat(1_024),
    comment: `${'x'.repeat(1_023)}…`,
  });
});
