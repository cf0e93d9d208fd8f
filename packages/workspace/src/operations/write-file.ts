import type { Stats } from 'node:fs';
import { type Enclosure, requireWritable } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { sameFile } from '../resolve/dir.ts';
import { type Located, locate } from '../resolve/locate.ts';
import { decodeText, encodeText, isBinary } from '../text/encoding.ts';
import { versionOf } from '../text/version.ts';
import { readBytesSync } from './read-file.ts';
import { type Replaced, replaceFile } from './replace.ts';

/** What a write did. */
export interface WriteOutcome extends Replaced {
  readonly bytesWritten: number;
}

export interface WriteOptions {
  /** The version the caller last saw, or `'absent'` for a file it believes not to exist. */
  readonly expectedVersion?: string | undefined;
}

/**
 * Creates or replaces a file, making missing parent directories. All or nothing.
 *
 * @throws WorkspaceError `too_large`, `is_directory`, `not_regular`, `hard_linked`, `mounted`, `changed`, `quota`, `io`,
 *   `read_only`, and those of `locate`
 */
export function writeFile(
  enclosure: Enclosure,
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): WriteOutcome {
  requireWritable(enclosure);
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const limit = enclosure.limits.maxFileBytes;
  if (bytes.length > limit) throw contentTooLarge(bytes.length, limit);
  return placing(enclosure, path, options, () => bytes);
}

/** The refusal of content above a limit, both in bytes. */
export function contentTooLarge(bytes: number, limit: number): WorkspaceError {
  return new WorkspaceError('too_large', `Content size ${bytes} exceeds limit of ${limit} bytes`);
}

/**
 * Adds text to the end of a file, in the file's own encoding; creates it when missing. All or nothing.
 *
 * @throws WorkspaceError as `writeFile`, and `binary`, `not_text`
 */
export function appendFile(
  enclosure: Enclosure,
  path: string,
  content: string,
  options: WriteOptions = {},
): WriteOutcome {
  requireWritable(enclosure);
  let bytesWritten = 0;
  const outcome = placing(enclosure, path, options, (found) => {
    const old = found.stat ? readUnchanged(enclosure, path, found.stat) : Buffer.alloc(0);
    const added = encodeAddition(old, content, enclosure, path);
    bytesWritten = added.length;
    const size = old.length + added.length;
    const limit = enclosure.limits.maxFileBytes;
    if (size > limit)
      throw new WorkspaceError('too_large', `Resulting content size ${size} would exceed limit of ${limit} bytes`);
    return Buffer.concat([old, added]);
  });
  return { ...outcome, bytesWritten };
}

/** How often a write looks again when somebody creates the file it is about to create. */
const MAX_ROUNDS = 5;

/** Locates, makes the content and puts it there; again as an update when the file appeared meanwhile. */
function placing(
  enclosure: Enclosure,
  path: string,
  options: WriteOptions,
  contentFor: (found: Located) => Uint8Array,
): WriteOutcome {
  for (let round = 1; ; round++) {
    const found = locate(enclosure, path, { makeParents: true });
    try {
      requireReplaceable(enclosure, found);
      requireVersion(found, options.expectedVersion);
      const content = contentFor(found);
      return { ...replaceFile(enclosure, found, content), bytesWritten: content.length };
    } catch (error) {
      found.unmake();
      if (!(error instanceof WorkspaceError && error.code === 'exists') || round >= MAX_ROUNDS) throw error;
    } finally {
      found.close();
    }
  }
}

/** The old content, if it is that of the very file and version that was looked at. */
function readUnchanged(enclosure: Enclosure, path: string, looked: Stats): Buffer {
  const { bytes, stat } = readBytesSync(enclosure, path);
  if (!sameFile(stat, looked) || versionOf(stat) !== versionOf(looked)) {
    throw new WorkspaceError('changed', 'The file is being replaced by something else; try again');
  }
  return bytes;
}

function encodeAddition(old: Buffer, content: string, enclosure: Enclosure, path: string): Buffer {
  if (isBinary(old, enclosure.limits.binarySniffBytes)) {
    throw new WorkspaceError('binary', `Refusing to append to binary file: ${path}`);
  }
  const { encoding } = decodeText(old);
  if (encoding === 'unknown-8bit') {
    throw new WorkspaceError('not_text', `Refusing to change a file that is not UTF-8 or UTF-16 text: ${path}`);
  }
  if (encoding === 'utf-8' || encoding === 'utf-8-bom') return Buffer.from(content, 'utf8');
  return encodeText(content, encoding).subarray(2);
}

/** Only a regular file with one name may be replaced: with a second name, the other would keep the old content. */
export function requireReplaceable(enclosure: Enclosure, found: Located): void {
  const { stat, path } = found;
  if (!stat) return;
  if (stat.isDirectory()) throw new WorkspaceError('is_directory', `Path is a directory, not a file: ${path.written}`);
  if (!stat.isFile()) throw new WorkspaceError('not_regular', `Not a regular file: ${path.written}`);
  // A name the trash keeps is about to be the only one.
  if (stat.nlink > 1 && stat.nlink - (enclosure.trash?.namesOf(stat) ?? 0) > 1) {
    throw new WorkspaceError('hard_linked', `Refusing to operate on multi-hardlink file (nlink=${stat.nlink})`);
  }
}

/** @throws WorkspaceError `changed` with both versions */
export function requireVersion(found: Located, expected: string | undefined): void {
  if (expected === undefined) return;
  const actual = found.stat ? versionOf(found.stat) : 'absent';
  if (actual === expected) return;
  throw new WorkspaceError(
    'changed',
    `The file has changed: expected version ${expected}, found ${actual}. Read it again before changing it.`,
    { extra: { expected_version: expected, actual_version: actual } },
  );
}
