import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import { makeScratch, type Scratch } from '../testing.ts';
import { createMatcher } from './line-matcher.ts';
import { type FileHits, FileScanner } from './scan-file.ts';
import type { GrepRequest } from './search-request.ts';

let scratch: Scratch;
afterEach(() => scratch.remove());

type Given = Partial<Omit<GrepRequest, 'scope'>> & { readonly maxFileBytes?: number; readonly maxLines?: number };

function scannerOf({ maxFileBytes = 10_000_000, ...more }: Given): FileScanner {
  const request = {
    kind: 'grep',
    pattern: 'hit',
    isRegex: false,
    caseInsensitive: false,
    outputMode: 'content',
    anySize: false,
    maxMatches: 100,
    maxLineChars: 1_000,
    lineRule: 'newline',
    maxRegexLines: 50_000,
    scope: { limits: { ...DEFAULT_LIMITS, maxFileBytes } },
    ...more,
  } as unknown as GrepRequest;
  return new FileScanner(createMatcher(request), request);
}
/** Scans a file with this content. */
function scan(content: string | Uint8Array, { maxLines = 100, ...more }: Given = {}): FileHits | undefined {
  scratch?.remove();
  scratch = makeScratch([]);
  writeFileSync(join(scratch.workspace, 'f'), content);
  return scannerOf(more).scan(join(scratch.workspace, 'f'), maxLines);
}
const lines = (hits: FileHits | undefined) => hits?.lines.map(({ number, text }) => `${number}:${text}`).join(' ');

const KINDS: readonly (readonly [string, Given])[] = [
  ['a text', {}],
  ['a text in any case', { pattern: 'HIT', caseInsensitive: true }],
  ['an expression', { pattern: 'h[i]t', isRegex: true }],
  ['an expression that looks around', { pattern: 'h(?=it)', isRegex: true }],
];

describe.each(KINDS)('a search for %s', (_, given) => {
  it.each([
    ['hit', '1:hit'],
    ['a\nhit\nb\nhit hit\n', '2:hit 4:hit hit'],
    ['hit\r\nx\r\nhit\r\n', '1:hit 3:hit'],
    ['\ufeffhit\nx', '1:hit'],
    ['é hit\n', '1:é hit'],
    ['hi\nt\n', ''],
    ['\n\nhit', '3:hit'],
  ])('in %j finds %j', (content, expected) => {
    expect(lines(scan(content, given))).toBe(expected);
  });

  it('counts lines up to the wanted number, and says that there are more', () => {
    const hits = (maxLines: number) => {
      const { count, more } = scan('hit\nhit\nhit\n', { ...given, maxLines }) as FileHits;
      return [count, more];
    };
    expect([hits(2), hits(3), hits(0)]).toEqual([
      [2, true],
      [3, false],
      [0, true],
    ]);
  });

  it('reads UTF-16, and lines by the rule of Python', () => {
    expect(lines(scan(Buffer.from('\ufeffa\nhit\n', 'utf16le'), given))).toBe('2:hit');
    expect(lines(scan('a\rhit\u2028x hit\n', { ...given, lineRule: 'universal' }))).toBe('2:hit 3:x hit');
  });

  it('has no lines where only files or counts are wanted', () => {
    expect(scan('hit\n', { ...given, outputMode: 'count' })).toEqual({ count: 1, lines: [], more: false });
  });
});

describe('what is not searched', () => {
  it('is binary, a link, a directory, missing or empty', () => {
    expect(scan('hit\0')).toBeUndefined();
    expect(scan('')).toBeUndefined();
    scratch.remove();
    scratch = makeScratch(['f = hit', 'link => f']);
    mkdirSync(join(scratch.workspace, 'd'));
    const scanner = scannerOf({});
    const at = (name: string) => scanner.scan(join(scratch.workspace, name), 9);
    expect([at('link'), scanner.metLink]).toEqual([undefined, true]);
    expect([at('d'), at('gone'), scanner.metLink, scanner.wasRefused]).toEqual([undefined, undefined, false, false]);
    expect(lines(at('f'))).toBe('1:hit');
  });

  it('is too large, except where any size is wanted', () => {
    const content = `${'x'.repeat(99)}\n`.repeat(3_000) + 'hit\n';
    expect(scan(content, { maxFileBytes: 299_999 })).toBeUndefined();
    expect(lines(scan(content, { maxFileBytes: 300_004 }))).toBe('3001:hit');
    expect(lines(scan(content, { maxFileBytes: 1_000, anySize: true }))).toBe('3001:hit');
    expect(scan(`\0${content}`, { maxFileBytes: 1_000, anySize: true })).toBeUndefined();
  });
});

it('finds lines at the borders of the chunks of a large file', () => {
  const chunk = 4 * 1024 * 1024;
  const before = 'x\n'.repeat(chunk / 2 - 1);
  const content = `${before}hit\nhit\n${'y\n'.repeat(10)}hit`;
  const hits = scan(content, { maxFileBytes: 1_000, anySize: true });
  expect(lines(hits)).toBe(`${chunk / 2}:hit ${chunk / 2 + 1}:hit ${chunk / 2 + 12}:hit`);
});

it('cuts long lines, and tries no expression on very long or very late ones', () => {
  const long = scan(`hit${'x'.repeat(50)}`, { maxLineChars: 10 });
  expect(lines(long)).toBe('1:hitxxxxxxx… (53 characters)');
  const expression = { pattern: 'h[i]t', isRegex: true };
  expect(lines(scan(`hit${'x'.repeat(5_000)}\nhit\n`, expression))).toBe('2:hit');
  expect(lines(scan('a\nhit\nhit\n', { ...expression, maxRegexLines: 2 }))).toBe('2:hit');
  expect(lines(scan('a\vhit\vhit', { ...expression, maxRegexLines: 2, lineRule: 'universal' }))).toBe('2:hit');
});

it('does not count a carriage return as part of a line', () => {
  const text = { pattern: 'hit\r' };
  expect(lines(scan('hit\r\nhit\rx\n', text))).toBe('2:hit\rx');
  expect(scan('a\n', { pattern: 'a\n' })?.count).toBe(0);
});
