import fc from 'fast-check';
import { leastCpuMs, yardstickMs } from '../../../../tests/support/yardstick.ts';
import { describe, expect, it } from 'vitest';
import { decodeText, encodedSize, encodeText, isBinary, markSize } from './encoding.ts';
import { numberLines, splitLines } from './lines.ts';
import { nearestText } from './nearest.ts';

const utf16be = (text: string) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);

describe('encodings', () => {
  it('are recognised by their mark, and by being valid', () => {
    expect(decodeText(Buffer.from('héllo'))).toEqual({ text: 'héllo', encoding: 'utf-8' });
    expect(decodeText(Buffer.from('\ufeffhéllo'))).toEqual({ text: 'héllo', encoding: 'utf-8-bom' });
    expect(decodeText(Buffer.from('\ufeffhé', 'utf16le'))).toEqual({ text: 'hé', encoding: 'utf-16le' });
    expect(decodeText(utf16be('hé'))).toEqual({ text: 'hé', encoding: 'utf-16be' });
    expect(decodeText(Buffer.from([0x68, 0xe9]))).toEqual({ text: 'h\ufffd', encoding: 'unknown-8bit' });
    expect(decodeText(Buffer.alloc(0))).toEqual({ text: '', encoding: 'utf-8' });
  });
  it('give back every byte of what may be written back', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 40 }).map((body) => Buffer.from([0xff, 0xfe, ...body])),
      fc.uint8Array({ maxLength: 40 }).map((body) => Buffer.from([0xfe, 0xff, ...body])),
      fc.uint8Array({ maxLength: 40 }).map((body) => Buffer.from([0xef, 0xbb, 0xbf, ...body])),
    );
    fc.assert(
      fc.property(bytes, (raw) => {
        const buffer = Buffer.from(raw);
        const { text, encoding } = decodeText(buffer);
        if (encoding === 'unknown-8bit') return;
        expect(encodeText(text, encoding).equals(buffer)).toBe(true);
        expect(markSize(encoding) + encodedSize(text, encoding)).toBe(buffer.length);
      }),
      { numRuns: 500 },
    );
  });
  it('call half a UTF-16 character no text', () => {
    expect(decodeText(Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62])).encoding).toBe('unknown-8bit');
    expect(decodeText(Buffer.from([0xfe, 0xff, 0x00])).encoding).toBe('unknown-8bit');
  });
  it('take a NUL in the first bytes for binary, unless a mark says UTF-16', () => {
    expect(isBinary(Buffer.from('a\0b'), 8192)).toBe(true);
    expect(isBinary(Buffer.concat([Buffer.alloc(8192, 97), Buffer.from([0])]), 8192)).toBe(false);
    expect(isBinary(Buffer.from('\ufeffa', 'utf16le'), 8192)).toBe(false);
  });
});

describe('lines', () => {
  it('are cut as Python cuts them', () => {
    expect(splitLines('a\nb\r\nc\rd\ve\ff\x1cg\x1dh\x1ei\x85j\u2028k\u2029l', 'universal')).toEqual([
      ...'abcdefghijkl',
    ]);
    expect(splitLines('a\n\nb\n', 'universal')).toEqual(['a', '', 'b']);
    expect(splitLines('', 'universal')).toEqual([]);
    expect(splitLines('\n', 'universal')).toEqual(['']);
    expect(splitLines('\r\n\r\n', 'universal')).toEqual(['', '']);
  });
  it('are cut at line feeds only where tools count them', () => {
    expect(splitLines('a\r\nb\rc\u2028d\n\n', 'newline')).toEqual(['a', 'b\rc\u2028d', '']);
    expect(splitLines('a', 'newline')).toEqual(['a']);
  });
  it('are numbered six wide, and wider when they must be', () => {
    expect(numberLines(['line1', 'line2'], 1)).toBe('     1→line1\n     2→line2');
    expect(numberLines(['x'], 1_000_000)).toBe('1000000→x');
    expect(numberLines([], 1)).toBe('');
  });
});

describe('the nearest text', () => {
  it('is found in spite of indentation and a small difference', () => {
    const text = 'import x\n\nfunction add(a, b) {\n    return a + b;\n}\n';
    expect(nearestText(text, 'function add(a,b) {\n  return a - b;')).toEqual({
      line: 3,
      text: 'function add(a, b) {\n    return a + b;',
    });
  });
  it('is not made up where nothing is alike', () => {
    expect(nearestText('alpha\nbeta\n', 'zzzzqqqq')).toBeUndefined();
    expect(nearestText('', 'x')).toBeUndefined();
    expect(nearestText('a', '\n\n')).toBeUndefined();
  });
  it('takes bounded time on a large file', () => {
    const text = Array.from(
      { length: 200_000 },
      (_, i) => `const value${i} = compute(${i}, "${'x'.repeat(40)}");`,
    ).join('\n');
    const cost = leastCpuMs(() => nearestText(text, 'const valueQ = compute(7, "none");\nnext line\nand another'), 2);
    expect(cost / yardstickMs()).toBeLessThan(150);
  });
});
