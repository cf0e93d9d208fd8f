import { closeSync, type Stats } from 'node:fs';
import type { Enclosure } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { type OpenFile, openRegular } from '../resolve/open-regular.ts';
import { type DecodedText, decodeText, isBinary } from '../text/encoding.ts';
import { versionOf } from '../text/version.ts';
import { SYNC_BYTES, requireText, tooLarge, readAllSync, readAll, readFailure } from './read-file.ts';

/**
 * Reads a whole text file as one string, line ends as they are. Decoding and failures as `readText`.
 */
export async function readWhole(
  enclosure: Enclosure,
  path: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<DecodedText & { version: string; sizeBytes: number }> {
  const { bytes, version } = await readBytes(enclosure, path, options);
  requireText(bytes, enclosure, path);
  return { ...decodeText(bytes), version, sizeBytes: bytes.length };
}

/** A whole file's bytes. */
export interface FileBytes {
  readonly bytes: Buffer;
  readonly version: string;
}

/**
 * Reads a whole file of any kind of content.
 *
 * @throws WorkspaceError `too_large` above `maxBytes` (default: the whole-file limit), and those of `openRegular`
 */
export async function readBytes(
  enclosure: Enclosure,
  path: string,
  options: { maxBytes?: number; signal?: AbortSignal | undefined } = {},
): Promise<FileBytes> {
  const file = openRegular(enclosure, path);
  try {
    const { size } = file.stat;
    const max = options.maxBytes ?? enclosure.limits.maxFileBytes;
    if (size > max) throw new WorkspaceError('too_large', `File size ${size} exceeds limit of ${max} bytes`);
    const bytes = size <= SYNC_BYTES ? readAllSync(file.fd, size) : await readAll(file.fd, size, options.signal);
    return { bytes, version: versionOf(file.stat) };
  } catch (error) {
    throw readFailure(error);
  } finally {
    closeSync(file.fd);
  }
}

/** Reads and decodes a whole text file that is about to be changed, synchronously, so that nothing comes between. */
export function readTextSync(enclosure: Enclosure, path: string): DecodedText & { file: OpenFile } {
  const file = openRegular(enclosure, path);
  try {
    if (file.stat.size > enclosure.limits.maxFileBytes) throw tooLarge(enclosure, file.stat.size);
    const bytes = readAllSync(file.fd, file.stat.size);
    if (isBinary(bytes, enclosure.limits.binarySniffBytes)) {
      throw new WorkspaceError('binary', `Refusing to edit binary file: ${path}`);
    }
    const decoded = decodeText(bytes);
    if (decoded.encoding === 'unknown-8bit') {
      throw new WorkspaceError('not_text', `Refusing to change a file that is not UTF-8 or UTF-16 text: ${path}`);
    }
    return { ...decoded, file };
  } catch (error) {
    throw readFailure(error);
  } finally {
    closeSync(file.fd);
  }
}

/** Reads a whole file's bytes synchronously, under the whole-file limit. */
export function readBytesSync(enclosure: Enclosure, path: string): { bytes: Buffer; stat: Stats } {
  const file = openRegular(enclosure, path);
  try {
    if (file.stat.size > enclosure.limits.maxFileBytes) throw tooLarge(enclosure, file.stat.size);
    return { bytes: readAllSync(file.fd, file.stat.size), stat: file.stat };
  } catch (error) {
    throw readFailure(error);
  } finally {
    closeSync(file.fd);
  }
}
