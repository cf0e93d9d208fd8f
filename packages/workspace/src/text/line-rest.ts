import { read } from 'node:fs';
import { promisify } from 'node:util';
import { throwIfCancelled } from '../errors.ts';
import type { OpenFile } from '../resolve/open-regular.ts';

const readAsync = promisify(read);
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/**
 * The content of a line, in a file of any size, from a 1-based character on, up to `maxBytes` characters. Decodes and
 * drops the text before, because characters are counted as they are shown.
 *
 * @param start the byte at which the line begins
 */
export async function readLineRest(
  file: OpenFile,
  start: number,
  options: { column: number; maxBytes: number; isFirst: boolean; signal: AbortSignal | undefined },
): Promise<{ text: string; encoding: 'utf-8' | 'unknown-8bit' }> {
  // The byte-order mark at the beginning of a file does not belong to its first line.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: !options.isFirst });
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = start;
  let before = Math.max(0, options.column - 1);
  let text = '';
  let ended = false;
  while (!ended && text.length <= options.maxBytes) {
    throwIfCancelled(options.signal);
    const { bytesRead } = await readAsync(file.fd, buffer, 0, CHUNK_BYTES, position);
    const chunk = buffer.subarray(0, bytesRead);
    const end = chunk.indexOf(NEWLINE);
    ended = end !== -1 || bytesRead === 0;
    const more = decoder.decode(end === -1 ? chunk : chunk.subarray(0, end), { stream: !ended });
    text += more.slice(before);
    before = Math.max(0, before - more.length);
    position += bytesRead;
  }
  if (ended && text.endsWith('\r')) text = text.slice(0, -1);
  return { text, encoding: text.includes('\ufffd') ? 'unknown-8bit' : 'utf-8' };
}
