import { closeSync, fstatSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenFile } from '@croft/workspace';
import { expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { sniffMedia } from './media-type.ts';

const dir = fileDir();

/** The media type of a file with this content and the name of a page. */
function sniff(content: string | Buffer) {
  const path = join(dir, 'page.html');
  writeFileSync(path, typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
  const fd = openSync(path, 'r');
  try {
    return sniffMedia({ fd, stat: fstatSync(fd) } as unknown as OpenFile);
  } finally {
    closeSync(fd);
  }
}

it.each([
  ['\x89PNG\r\n\x1a\n\0', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF87a\0', 'image/gif'],
  ['GIF89a\0', 'image/gif'],
  ['RIFF\0\0\0\0WEBP', 'image/webp'],
])('a browser opens the picture %j as a page of its own', (content, type) => {
  expect(sniff(content)).toEqual({ type, isInline: true });
});

it.each([
  ['\0\0\0\x18ftypM4A ', 'audio/mp4'],
  ['\0\0\0\x18ftypisom', 'video/mp4'],
  ['\0\0\0\x18ftypmp42', 'video/mp4'],
  ['\0\0\0\x18ftypavc1', 'video/mp4'],
  ['\0\0\0\x18ftypM4V ', 'video/mp4'],
  ['\0\0\0\x18ftypdash', 'video/mp4'],
  ['\x1aE\xdf\xa3\0', 'video/webm'],
  ['RIFF\0\0\0\0WAVE', 'audio/wav'],
  ['OggS\0', 'audio/ogg'],
  ['fLaC\0', 'audio/flac'],
  ['ID3\x04\0', 'audio/mpeg'],
  ['\xff\xfb\0', 'audio/mpeg'],
  ['\xff\xf3\0', 'audio/mpeg'],
  ['\xff\xf2\0', 'audio/mpeg'],
])('a browser plays and downloads %j', (content, type) => {
  expect(sniff(content)).toEqual({ type, isInline: false });
});

it('a text is plain text, also where it is a page or a script of another site', () => {
  for (const text of [
    '',
    'plain',
    '<script>alert(1)</script>',
    '<svg onload="x">',
    '%PDF-1.7',
    'OggS text',
    'ID3 text',
  ])
    expect(sniff(text), text).toEqual({ type: 'text/plain; charset=utf-8', isInline: true });
});

it('anything else is only downloaded', () => {
  for (const content of [
    'a\0b',
    '\xff\xfe',
    'caf\xe9',
    'RIFF\0\0\0\0XXXX',
    'XXXX\0\0\0\0WAVE',
    'XXXX\0\0\0\0WEBP',
    '\0\0\0\x18XXXXM4A ',
    '\0\0\0\x18XXXXisom',
    '\0\0\0\x18ftypqt  ',
  ])
    expect(sniff(content), content).toBeUndefined();
});

it('a text is one up to its 8,192nd byte, also where that byte is in the middle of a character', () => {
  const plain = { type: 'text/plain; charset=utf-8', isInline: true };
  expect(sniff(Buffer.from(`${'x'.repeat(8_191)}é`))).toEqual(plain);
  expect(sniff(Buffer.from(`${'x'.repeat(8_192)}\0`))).toEqual(plain);
  expect(sniff(Buffer.from(`${'x'.repeat(8_191)}\0`))).toBeUndefined();
  expect(sniff(Buffer.from('é').subarray(0, 1))).toBeUndefined();
});
