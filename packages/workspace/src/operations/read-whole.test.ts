import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import { codeOf, failureOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { versionOf } from '../text/version.ts';
import { readBytes, readBytesSync, readTextSync, readWhole } from './read-whole.ts';

const open = useEnclosures();
const LATIN1 = Buffer.from('caf\xe9 caf\xe9', 'latin1');
const BINARY = Buffer.from('a\0b');

/** Files of several kinds of content, under a limit of 9 bytes. */
function setUp(limit = 9) {
  const { enclosure, at } = open(['text = one\\r\\ntwo', 'ten = 1234567890', 'nine = 123456789'], {
    limits: { ...DEFAULT_LIMITS, maxFileBytes: limit },
  });
  writeFileSync(at('latin1'), LATIN1);
  writeFileSync(at('binary'), BINARY);
  writeFileSync(at('utf16'), Buffer.from('\ufeffhi', 'utf16le'));
  return { enclosure, at };
}

describe('a whole file', () => {
  it('is read as text with its line ends, its encoding and its version', async () => {
    const { enclosure } = setUp();
    const { text, encoding, sizeBytes, version } = await readWhole(enclosure, 'text');
    const { stat } = readBytesSync(enclosure, 'text');
    expect([text, encoding, sizeBytes, version]).toEqual(['one\r\ntwo', 'utf-8', 8, versionOf(stat)]);
    expect((await readWhole(enclosure, 'utf16')).text).toBe('hi');
    expect(await codeOf(() => readWhole(enclosure, 'binary'))).toBe('binary');
  });

  it('is read as bytes, whatever its content', async () => {
    const { enclosure } = setUp();
    for (const [name, content] of [
      ['latin1', LATIN1],
      ['binary', BINARY],
    ] as const) {
      expect((await readBytes(enclosure, name)).bytes.equals(content), name).toBe(true);
      expect(readBytesSync(enclosure, name).bytes.equals(content), name).toBe(true);
    }
    const large = Buffer.alloc(200_000, 'xyz');
    const { enclosure: roomy, at } = setUp(DEFAULT_LIMITS.maxFileBytes);
    writeFileSync(at('large'), large);
    expect((await readBytes(roomy, 'large')).bytes.equals(large)).toBe(true);
    const signal = AbortSignal.abort();
    expect(await codeOf(() => readBytes(roomy, 'large', { signal }))).toBe('cancelled');
  });

  it('is not read above the limit of the workspace, or of the call', async () => {
    const { enclosure } = setUp();
    const refused = [
      () => readWhole(enclosure, 'ten'),
      () => readBytes(enclosure, 'ten'),
      () => readTextSync(enclosure, 'ten'),
      () => readBytesSync(enclosure, 'ten'),
      () => readBytes(enclosure, 'nine', { maxBytes: 8 }),
    ];
    for (const [i, read] of refused.entries()) expect(await codeOf(read), `${i}`).toBe('too_large');
    expect((await failureOf(() => readBytes(enclosure, 'ten'))).message).toBe('File size 10 exceeds limit of 9 bytes');
    const accepted = [
      () => readWhole(enclosure, 'nine'),
      () => readTextSync(enclosure, 'nine'),
      () => readBytesSync(enclosure, 'nine'),
      () => readBytes(enclosure, 'ten', { maxBytes: 10 }),
    ];
    for (const [i, read] of accepted.entries()) expect(await codeOf(read), `${i}`).toBe('done');
  });
});

it('reads for an edit only what can be written back as it was', async () => {
  const { enclosure } = setUp();
  const { text, encoding, file } = readTextSync(enclosure, 'text');
  expect([text, encoding, file.stat.size]).toEqual(['one\r\ntwo', 'utf-8', 8]);
  const refusals = await Promise.all(
    ['binary', 'latin1'].map(async (name) => {
      const { code, message } = await failureOf(() => readTextSync(enclosure, name));
      return [code, message];
    }),
  );
  expect(refusals).toEqual([
    ['binary', 'Refusing to edit binary file: binary'],
    ['not_text', 'Refusing to change a file that is not UTF-8 or UTF-16 text: latin1'],
  ]);
});
