import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useBench } from '../use-bench.ts';
import { readMediaTool } from './read-media.ts';

const { setUp, host } = useBench('full');
const VERSION = /^[0-9a-z]+-[0-9a-z]+-[0-9a-z]+$/;

describe('read_media', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
  const bmp = bytes('BM', [30, 0, 0, 0], Array<number>(24).fill(0));

  it('is described with the kinds that it reads', () => {
    const { input, run: _run, paths, ...rest } = readMediaTool({} as Parameters<typeof readMediaTool>[0]);
    expect(rest).toEqual({
      name: 'read_media',
      title: 'Read image, audio or PDF',
      description:
        'Read an image (PNG, JPEG, GIF, WebP, BMP), audio file (WAV, MP3, Ogg, FLAC, M4A) or PDF so that it can be looked at or listened to.',
      tags: ['read_media'],
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(input.toJSONSchema()).toMatchObject({
      properties: {
        path: { type: 'string', description: 'Image, audio file or PDF, relative to the workspace root.' },
      },
    });
    expect(paths?.({ path: 'a.png' })).toEqual(['a.png']);
  });

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
      [bytes([0xff, 0xe3]), 'audio/mpeg', 'audio'],
      [bytes('BM', [27, 0, 0, 0], Array<number>(21).fill(0)), 'image/bmp', 'image'],
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
      ['cut.png', '\x89PNG\r\n\x1a'],
      ['cut.jpg', '\xff\xd8'],
      ['cut.webp', 'RIFF1234WEB'],
      ['text.webp', 'text1234WEBP'],
      ['text.wav', 'text1234WAVE'],
      ['short.bmp', `BM\x1a${'\0'.repeat(23)}`],
      ['size.bmp', `BM\x1c${'\0'.repeat(24)}`],
      ['sync.mp3', '\xff\xc2'],
      ['reserved.mp3', '\xff\xe0'],
      ['layer2.mp3', '\xff\xe4'],
      ['layer1.mp3', '\xff\xe6'],
      ['cut.mp3', '\xff'],
      ['late.mp3', 'x\xff\xfb'],
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

  it('reads files whose result has room below the limit', async () => {
    const call = setUp(['d/']);
    const path = 'd/ü x';
    const most = Math.floor(((1_048_576 - 4_096 - 3 * 8) / 4) * 3);
    const content = (length: number) => `%PDF-${'x'.repeat(length - 5)}`;
    writeFileSync(host(path), content(most));
    const { data, media, bytes: read } = await call('read_media', { path });
    expect([data.name, data.bytes, read]).toEqual(['ü x', most, most]);
    expect(media?.[0]).toMatchObject({ type: 'resource', uri: 'workspace:///d/%C3%BC%20x' });
    writeFileSync(host(path), content(most + 1));
    expect((await call('read_media', { path })).data.error).toBe(
      `File size ${most + 1} exceeds limit of ${most} bytes`,
    );
  });

  it('a name that is not valid in a URI causes no error', async () => {
    const call = setUp();
    writeFileSync(host('\ufffd.pdf'), '%PDF-1.7');
    expect((await call('read_media', { path: '\ufffd.pdf' })).ok).toBe(true);
    expect((await call('read_media', { path: '\ud800.pdf' })).data.error).toBe('Path is not valid Unicode text');
  });
});
