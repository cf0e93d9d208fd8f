import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WholeFile } from '../tool.ts';
import { dataOfWholeFile, quoteWholeFile } from './quote-lines.ts';

const fileOf = (text: string, more: Partial<WholeFile> = {}): WholeFile => ({
  bytes: Buffer.from(text),
  before: { status: 'ok', path: 'a "b" \\ é.txt' },
  after: { total_lines: 2, version: '1-2-3' },
  ...more,
});
/** The envelope as strings make it: numbered, and quoted twice. */
const expected = (file: WholeFile) => JSON.stringify(JSON.stringify(dataOfWholeFile(file))).slice(1, -1);
function quoted(file: WholeFile, size = 100_000, at = 0): string | number {
  const into = Buffer.alloc(size);
  const end = quoteWholeFile(file, into, at);
  return end < 0 ? end : into.toString('utf8', at, end);
}
/** `JSON.stringify` of a string begins with a quote; the caller writes it. */
const withoutQuotes = (text: string | number) => String(text).replace(/^"|"$/g, '');

describe('a whole file', () => {
  it.each([
    '',
    'one',
    'one\ntwo\n',
    'one\r\ntwo\r',
    'a\rb\r\r\nc',
    '\n\n',
    'quote " backslash \\ slash /',
    'tab\tback\bfeed\fbell\u0007nul\u0000escape\u001bdel\u007f',
    'é € 😀 \u2028',
  ])('is numbered and escaped as JSON in JSON: %j', (text) => {
    const file = fileOf(text);
    expect(withoutQuotes(quoted(file))).toBe(expected(file));
    expect(withoutQuotes(quoted(file, 100_000, 17))).toBe(expected(file));
  });

  it('is the same as by strings for any text', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '"', '\\', '\t', '\u0001', 'é', '😀') });
    fc.assert(
      fc.property(texts, (text) => {
        const file = fileOf(text);
        expect(withoutQuotes(quoted(file))).toBe(expected(file));
      }),
    );
  });

  it('has line numbers of any length', () => {
    const file = fileOf('x\n'.repeat(1_200));
    expect(withoutQuotes(quoted(file))).toBe(expected(file));
  });

  it('is not written where there is no room for it, and never behind the end', () => {
    const file = fileOf('line "one"\n'.repeat(20));
    const full = expected(file).length + 2;
    let fitted = 0;
    for (let size = 0; size < full + 300; size++) {
      const result = quoted(file, size);
      if (result === -1) continue;
      expect(withoutQuotes(result)).toBe(expected(file));
      fitted ||= size;
    }
    expect(fitted).toBeGreaterThanOrEqual(full - 2);
    expect(quoted(fileOf('x'.repeat(500)), 300)).toBe(-1);
    expect(quoted(fileOf('', { after: { hint: 'x'.repeat(500) } }), 300)).toBe(-1);
    expect(quoted(fileOf('', { before: { path: 'x'.repeat(500) } }), 300)).toBe(-1);
  });
});

it('has its content as numbered lines between the other fields', () => {
  expect(Object.entries(dataOfWholeFile(fileOf('one\ntwo\n')))).toEqual([
    ['status', 'ok'],
    ['path', 'a "b" \\ é.txt'],
    ['content', '     1→one\n     2→two'],
    ['total_lines', 2],
    ['version', '1-2-3'],
  ]);
});
