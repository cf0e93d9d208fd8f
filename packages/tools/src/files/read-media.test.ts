import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useBench } from '../use-bench.ts';

const { setUp, host } = useBench('full');
const VERSION = /^[0-9a-z]+-[0-9a-z]+-[0-9a-z]+$/;

describe('read_media', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
  const bmp = bytes('BM', [30, 0, 0, 0], Array<number>(24).fill(0));

  it('recognises each kind by its first bytes, with any name', async () => {
    const call = setUp();
    const kinds: [Buffer, string, string][] = [
      [bytes('\x89PNG\r\n\x1a\n', 'rest'), 'image/png', 'image'],
      [bytes([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg', 'image'],
      [bytes('GIF87a'), 'image/gif', 'image'],
      [bytes('GIF89a'), 'image/gif', 'image'],
      [bytes('RIFF', [4, 0, 0, 0], 'WEBP'), 'image/webp', 'image'],
      [bmp, 'image/bmp', 'image'],
      [bytes('RIFF', [4, 0, 0, 0], 'WAVE'), 'audio/wav', 'audio'],
      [bytes('ID3', [3, 0]), 'audio/mpeg', 'audio'],
      [bytes([0xff, 0xfb, 0x90]), 'audio/mpeg', 'audio'],
      [bytes('OggS'), 'audio/ogg', 'audio'],
      [bytes('fLaC'), 'audio/flac', 'audio'],
      [bytes([0, 0, 0, 32], 'ftypM4A '), 'audio/mp4', 'audio'],
      [bytes('%PDF-1.7'), 'application/pdf', 'resource'],
    ];
    for (const [content, mimeType, type] of kinds) {
      writeFileSync(host('some thing.txt'), content);
      const { data, media, ok } = await call('read_media', { path: 'some thing.txt' });
      expect(ok, mimeType).toBe(true);
      expect(data).toEqual({
        status: 'ok',
        path: 'some thing.txt',
        name: 'some thing.txt',
        mime_type: mimeType,
        bytes: content.length,
        version: expect.stringMatching(VERSION),
      });
      expect(media).toEqual([
        {
          type,
          data: content.toString('base64'),
          mimeType,
          ...(type === 'resource' && { uri: 'workspace:///some%20thing.txt' }),
        },
      ]);
    }
  });

  it('refuses everything else, by its bytes and not by its name', async () => {
    const call = setUp(['fake.png = just text', 'empty.pdf = ', 'd/', 'page.svg = <svg/>']);
    for (const [name, content] of [
      ['bm.bmp', 'BMW is a car, and this is a sentence about it'],
      ['riff.wav', 'RIFF1234AVI '],
      ['elf', '\x7fELF'],
      ['zip', 'PK\x03\x04'],
      ['mp4', '\0\0\0\x20ftypisom'],
      ['utf16', '\xff\xfeh\0'],
    ] as const) {
      writeFileSync(host(name), Buffer.from(content, 'latin1'));
      expect((await call('read_media', { path: name })).data, name).toEqual({
        error: `Not an image, audio file or PDF: ${name}. Use read_file for text.`,
        path: name,
      });
    }
    for (const path of ['fake.png', 'empty.pdf', 'page.svg'])
      expect((await call('read_media', { path })).data.error).toMatch(/^Not an image/);
    expect((await call('read_media', { path: 'd' })).data.error).toBe('Path is a directory, not a file: d');
    expect((await call('read_media', { path: '../outside/secret.txt' })).data.error).toMatch(/^Path escapes/);
  });

  it('a name that is not valid in a URI causes no error', async () => {
    const call = setUp();
    writeFileSync(host('\ufffd.pdf'), '%PDF-1.7');
    expect((await call('read_media', { path: '\ufffd.pdf' })).ok).toBe(true);
    expect((await call('read_media', { path: '\ud800.pdf' })).data.error).toBe('Path is not valid Unicode text');
  });
});
