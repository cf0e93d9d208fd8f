import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorkspaceError } from '../errors.ts';
import { decodeText, encodedSize, encodeText, isBinary, markSize, sniffEncoding } from './encoding.ts';

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
  it('write their mark, and no text of an unknown encoding', () => {
    const written = (['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be'] as const).map((encoding) => [
      encodeText('é', encoding).toString('hex'),
      markSize(encoding),
      encodedSize('é', encoding),
    ]);
    expect(written).toEqual([
      ['c3a9', 0, 2],
      ['efbbbfc3a9', 3, 2],
      ['fffee900', 2, 2],
      ['feff00e9', 2, 2],
    ]);
    expect(() => encodeText('é', 'unknown-8bit')).toThrow(
      new WorkspaceError('not_text', 'This text has no encoding it could be written back in'),
    );
    expect(() => encodeText('é', 'unknown-8bit')).toThrow(expect.objectContaining({ code: 'not_text' }));
    expect(
      ['fffe', 'feff', 'efbbbf', 'fffd', 'fefe', 'efbbbe', 'efbabf', ''].map((hex) =>
        sniffEncoding(Buffer.from(hex, 'hex')),
      ),
    ).toEqual(['utf-16le', 'utf-16be', 'utf-8-bom', ...Array<undefined>(5).fill(undefined)]);
    expect(decodeText(Buffer.from('efbbbfe9', 'hex'))).toEqual({ text: '\ufffd', encoding: 'unknown-8bit' });
  });
  it('call half a UTF-16 character no text', () => {
    expect(decodeText(Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62]))).toEqual({
      text: 'a\ufffd',
      encoding: 'unknown-8bit',
    });
    expect(decodeText(Buffer.from([0xfe, 0xff, 0x00])).encoding).toBe('unknown-8bit');
  });
  it('take a NUL in the first bytes for binary, unless a mark says UTF-16', () => {
    expect(isBinary(Buffer.from('a\0b'), 8192)).toBe(true);
    expect(isBinary(Buffer.concat([Buffer.alloc(8192, 97), Buffer.from([0])]), 8192)).toBe(false);
    expect(isBinary(Buffer.from('\ufeffa', 'utf16le'), 8192)).toBe(false);
  });
});
