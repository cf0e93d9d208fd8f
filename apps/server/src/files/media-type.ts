import { readSync } from 'node:fs';
import type { OpenFile } from '@croft/workspace';

const SNIFFED_BYTES = 8_192;

/** The media type of a file's content, and whether a browser may open it as a page of its own. */
export interface MediaType {
  readonly type: string;
  readonly isInline: boolean;
}

type Starts = (bytes: string, at?: number) => boolean;

/** Types that a page plays in an element. A browser that opens such a file directly downloads it. */
const PLAYED: readonly [type: string, is: (starts: Starts) => boolean][] = [
  // The brand after `ftyp` distinguishes audio from video.
  ['audio/mp4', (starts) => starts('ftyp', 4) && starts('M4A', 8)],
  ['video/mp4', (starts) => starts('ftyp', 4) && ['iso', 'mp4', 'avc1', 'M4V', 'dash'].some((b) => starts(b, 8))],
  ['video/webm', (starts) => starts('\x1aE\xdf\xa3')],
  ['audio/wav', (starts) => starts('RIFF') && starts('WAVE', 8)],
  ['audio/ogg', (starts) => starts('OggS')],
  ['audio/flac', (starts) => starts('fLaC')],
  ['audio/mpeg', (starts) => starts('ID3') || starts('\xff\xfb') || starts('\xff\xf3') || starts('\xff\xf2')],
];
const PICTURES: typeof PLAYED = [
  ['image/png', (starts) => starts('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (starts) => starts('\xff\xd8\xff')],
  ['image/gif', (starts) => starts('GIF87a') || starts('GIF89a')],
  ['image/webp', (starts) => starts('RIFF') && starts('WEBP', 8)],
];

/** Reads the beginning of an open file and ignores its name. `undefined` for a file that is only downloaded. */
export function sniffMedia({ fd, stat }: OpenFile): MediaType | undefined {
  const head = Buffer.alloc(Math.min(SNIFFED_BYTES, stat.size));
  const read = head.subarray(0, readSync(fd, head, 0, head.length, 0));
  const starts: Starts = (bytes, at = 0) => read.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'));
  const typeIn = (table: typeof PLAYED) => table.find(([, is]) => is(starts))?.[0];
  const picture = typeIn(PICTURES);
  if (picture !== undefined) return { type: picture, isInline: true };
  const played = typeIn(PLAYED);
  if (isText(read, read.length < stat.size)) return { type: 'text/plain; charset=utf-8', isInline: true };
  return played === undefined ? undefined : { type: played, isInline: false };
}

function isText(bytes: Buffer, isCut: boolean): boolean {
  if (bytes.includes(0)) return false;
  try {
    // The last character that was read may be incomplete.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}
