import { describe, expect, it } from 'vitest';
import { cleanHost, cleanPath, cleanSchema, cleanText, isPlainName, quoteDescription } from './machine-text.ts';

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

  it('names a property only without hidden characters', () => {
    expect(isPlainName('filePath')).toBe(true);
    expect(isPlainName('a'.repeat(257))).toBe(false);
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
