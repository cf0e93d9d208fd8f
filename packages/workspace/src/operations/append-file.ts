import { closeSync, fstatSync, fsyncSync, ftruncateSync, futimesSync, type Stats, writeSync } from 'node:fs';
import { type Enclosure, placeName, requireWritable } from '../enclosure.ts';
import { osReason, WorkspaceError } from '../errors.ts';
import type { Located } from '../resolve/locate.ts';
import { withLock } from '../resolve/lock.ts';
import { openForAppend } from '../resolve/open-for-append.ts';
import { decodeText, encodeText, isBinary } from '../text/encoding.ts';
import { versionOf } from '../text/version.ts';
import type { Change } from './change.ts';
import { forCall } from './for-call.ts';
import { recorded } from './journal.ts';
import { isCurrent, isUnchanged, Outdated } from './outdated.ts';
import { readBytesSync } from './read-whole.ts';
import { replaceFile } from './replace.ts';
import type { Replaced } from './place-temp.ts';
import { atPlace, requireReplaceable, requireVersion, type WriteOptions, type WriteOutcome } from './write-file.ts';

/**
 * Adds text to the end of a file, in the file's own encoding; creates it when missing. A file with one link is extended
 * in place, so that programs which have it open see the addition; a process that is killed can leave a part of a large
 * addition, and so can a full disk where another program writes to the file at the same time. A file whose old content the trash still names is replaced.
 *
 * @throws WorkspaceError as `writeFile`, and `binary`, `not_text`
 */
export function appendFile(
  workspace: Enclosure,
  path: string,
  content: string,
  options: WriteOptions = {},
): WriteOutcome {
  const enclosure = forCall(workspace, options);
  requireWritable(enclosure);
  return atPlace(enclosure, path, (place) => addTo(enclosure, place, content, options));
}

function addTo(enclosure: Enclosure, found: Located, content: string, options: WriteOptions): WriteOutcome {
  const { path, stat } = found;
  requireReplaceable(enclosure, found);
  requireVersion(found, options.expectedVersion);
  const old = stat ? readUnchanged(enclosure, path.written, stat) : Buffer.alloc(0);
  const added = encodeAddition(old, content, enclosure, path.written);
  const size = old.length + added.length;
  const limit = enclosure.limits.maxFileBytes;
  if (size > limit)
    throw new WorkspaceError('too_large', `Resulting content size ${size} would exceed limit of ${limit} bytes`);
  const done =
    stat && mayExtend(stat)
      ? extend(enclosure, found, stat, added)
      : replaceFile(enclosure, found, Buffer.concat([old, added]));
  return { ...done, bytesWritten: added.length };
}

/** Only the owner may set a file's time, which is what makes its new version known beforehand. */
function mayExtend(stat: Stats): boolean {
  const user = process.geteuid?.();
  return stat.nlink === 1 && (user === undefined || user === 0 || user === stat.uid);
}

function extend(enclosure: Enclosure, found: Located, stat: Stats, added: Buffer): Replaced {
  if (added.length === 0) return { status: 'updated', version: versionOf(stat), changes: [] };
  let end: (() => void) | undefined;
  try {
    end = enclosure.quota?.reserve(added.length, 0);
    const change = withLock(enclosure.root, [found], () => write(enclosure, found, stat, added));
    return { status: 'updated', version: change.after, changes: [change] };
  } catch (error) {
    if (error instanceof WorkspaceError || error instanceof Outdated) throw error;
    throw new WorkspaceError('io', `Cannot write file: ${osReason(error)}`, { cause: error });
  } finally {
    end?.();
  }
}

function write(
  enclosure: Enclosure,
  found: Located,
  expected: Stats,
  added: Buffer,
): Change & { readonly after: string } {
  if (!isCurrent(enclosure.root, found)) throw new Outdated();
  const fd = openForAppend(found);
  try {
    const stat = fstatSync(fd);
    if (!isUnchanged(stat, expected) || stat.nlink !== 1) throw new Outdated();
    // A time of our own choice: the version is known before the change is made.
    const micros = Math.max(Math.round(Date.now() * 1e3), Math.round(expected.mtimeMs * 1e3) + 1);
    const after = versionOf({ mtimeMs: micros / 1e3, size: stat.size + added.length, ino: stat.ino });
    const change = {
      kind: 'append' as const,
      path: placeName(enclosure, found.path, found.parts),
      before: versionOf(stat),
      after,
      bytes: added.length,
      length: stat.size,
    };
    recorded(enclosure, [change], () => {
      let done = 0;
      try {
        while (done < added.length) done += writeSync(fd, added, done);
        setTime(fd, stat, micros);
      } catch (error) {
        throw takeOff(fd, stat, done) ? error : partLeft(error, done, added.length);
      }
    });
    enclosure.trash?.markOwn(fstatSync(fd), stat);
    if (enclosure.durable) fsyncSync(fd);
    return change;
  } finally {
    closeSync(fd);
  }
}

/**
 * Removes the part of a failed addition, if the file ends with it. A longer file holds what another program added
 * meanwhile, which must not be lost. That program can still add in the microseconds between the look and the cut.
 *
 * @returns whether nothing of the addition is left
 */
function takeOff(fd: number, before: Stats, added: number): boolean {
  if (added === 0) return true;
  if (fstatSync(fd).size !== before.size + added) return false;
  ftruncateSync(fd, before.size);
  setTime(fd, before, Math.round(before.mtimeMs * 1e3));
  return true;
}

function partLeft(error: unknown, done: number, total: number): WorkspaceError {
  const what = `${done} of ${total} bytes were added and stay, because another program has changed the file since`;
  return new WorkspaceError('io', `Cannot write file: ${osReason(error)}. ${what}`, { cause: error });
}

/** A little past the microsecond, because the way to the system cuts what is a hair below it. */
function setTime(fd: number, stat: Stats, micros: number): void {
  futimesSync(fd, stat.atimeMs / 1e3, (micros + 0.3) / 1e6);
}

/** The old content, if it is that of the very file and version that was looked at. */
function readUnchanged(enclosure: Enclosure, path: string, looked: Stats): Buffer {
  const { bytes, stat } = readBytesSync(enclosure, path);
  if (!isUnchanged(stat, looked) || bytes.length !== stat.size) throw new Outdated();
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
