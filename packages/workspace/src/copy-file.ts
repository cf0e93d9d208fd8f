import {
  close,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  lutimesSync,
  openSync,
  read,
  readSync,
  type Stats,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { WorkspaceError } from './errors.ts';
import type { Pace } from './pace.ts';
import { loadNative, type Native, O_NOFOLLOW } from './resolve/native.ts';
import { bestResolver } from './resolve/root.ts';

const READ = constants.O_RDONLY | O_NOFOLLOW | (constants.O_NONBLOCK ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW;
const SET_ID = 0o7000;
/** Files up to this size are copied without leaving the slice. */
const AT_ONCE_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const BLOCK_BYTES = 4096;
/** `st_blocks` counts these. */
const SECTOR_BYTES = 512;
const SEEK_DATA = 3;
const SEEK_HOLE = 4;
const ENXIO = 6;

const readChunk = promisify(read);
const writeChunk = promisify(write);
const closeLater = promisify(close);

/**
 * Copies one regular file to a name that must not exist, through descriptors: never through a link on either side.
 * Mode bits are kept, without set-id bits. Holes stay holes. The event loop runs between chunks of 1 MiB. Throws Node's
 * errors; `ELOOP` when the source is a link. Leaves nothing when it fails.
 *
 * @param keepTime give the copy the source's time, to the microsecond
 * @returns what was read and what was made
 * @throws WorkspaceError `cancelled`, `not_regular`
 */
export async function copyRegular(
  from: string,
  to: string,
  pace: Pace,
  keepTime = false,
): Promise<{ source: Stats; made: Stats }> {
  const source = openSync(from, READ);
  try {
    return await copyOpened(source, to, pace, keepTime);
  } finally {
    closeSync(source);
  }
}

/** {@link copyRegular} of a file that is open for reading. The caller closes it. */
export async function copyOpened(
  source: number,
  to: string,
  pace: Pace,
  keepTime = false,
): Promise<{ source: Stats; made: Stats }> {
  const stat = fstatSync(source);
  if (!stat.isFile()) throw new WorkspaceError('not_regular', 'Not a regular file');
  if (stat.size <= AT_ONCE_BYTES) copySmall(source, stat, to);
  else if (!(await clone(source, stat, to))) await copyBytes(source, stat, to, pace);
  if (keepTime) giveTime(to, stat);
  return { source: stat, made: lstatSync(to) };
}

/**
 * {@link copyOpened} at once, for a file of at most 64 KiB.
 *
 * @returns `false` when the file is larger
 */
export function copyNow(source: number, to: string): boolean {
  const stat = fstatSync(source);
  if (!stat.isFile() || stat.size > AT_ONCE_BYTES) return false;
  copySmall(source, stat, to);
  giveTime(to, stat);
  return true;
}

function giveTime(to: string, { atimeMs, mtimeMs }: Stats): void {
  // Slightly above the microsecond, because the conversion to the system's time truncates.
  lutimesSync(to, atimeMs / 1e3, (Math.round(mtimeMs * 1e3) + 0.3) / 1e6);
}

function copySmall(source: number, stat: Stats, to: string): void {
  const target = openSync(to, CREATE, stat.mode & 0o777);
  try {
    const buffer = Buffer.allocUnsafe(stat.size);
    let size = 0;
    for (let n = -1; n !== 0 && size < buffer.length; size += n)
      n = readSync(source, buffer, size, buffer.length - size, size);
    for (let done = 0; done < size; ) done += writeSync(target, buffer, done, size - done);
    fchmodSync(target, stat.mode & 0o777);
  } catch (error) {
    unlinkSync(to);
    throw error;
  } finally {
    closeSync(target);
  }
}

/** Devices that cannot clone: asked once. */
const withoutClones = new Set<number>();

/** Shares the blocks, where the file system can: at once, holes kept. */
async function clone(source: number, stat: Stats, to: string): Promise<boolean> {
  if (bestResolver() === 'portable' || (stat.mode & SET_ID) !== 0) return false;
  if (withoutClones.has(stat.dev)) return false;
  try {
    await copyFile(`/proc/self/fd/${source}`, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOSPC' || code === 'EDQUOT') throw error;
    if (code !== 'EXDEV') withoutClones.add(stat.dev);
    return false;
  }
}

async function copyBytes(source: number, stat: Stats, to: string, pace: Pace): Promise<void> {
  const target = openSync(to, CREATE, stat.mode & 0o777);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, stat.size)));
    for (const [start, end] of dataOf(source, stat)) {
      for (let position = start; position < end; ) {
        const pause = pace.pause();
        if (pause) await pause;
        const { bytesRead } = await readChunk(source, buffer, 0, Math.min(buffer.length, end - position), position);
        if (bytesRead === 0) break;
        if (!isSparse(stat) || !isZero(buffer, bytesRead)) await writeAll(target, buffer, bytesRead, position);
        position += bytesRead;
      }
    }
    ftruncateSync(target, stat.size);
    fchmodSync(target, stat.mode & 0o777);
  } catch (error) {
    unlinkSync(to);
    throw error;
  } finally {
    await closeLater(target);
  }
}

async function writeAll(fd: number, buffer: Buffer, length: number, position: number): Promise<void> {
  for (let done = 0; done < length; )
    done += (await writeChunk(fd, buffer, done, length - done, position + done)).bytesWritten;
}

function isSparse(stat: Stats): boolean {
  return stat.blocks * SECTOR_BYTES < stat.size;
}

const ZEROS = Buffer.alloc(CHUNK_BYTES);

function isZero(buffer: Buffer, length: number): boolean {
  return buffer.compare(ZEROS, 0, length, 0, length) === 0;
}

/** The parts of a file that hold data, as `[start, end)`; the whole file where the system does not tell. */
export function* dataOf(
  fd: number,
  stat: Stats,
  native: Native | null = loadNative() ?? null,
): Generator<[number, number]> {
  if (!native || !isSparse(stat)) {
    // Without blocks there is no data at all.
    if (stat.blocks > 0 || stat.size <= BLOCK_BYTES || process.platform === 'win32') yield [0, stat.size];
    return;
  }
  for (let end = 0; end < stat.size; ) {
    const start = native.seek(fd, end, SEEK_DATA);
    if (start === -ENXIO) return;
    if (start < 0) {
      yield [end, stat.size];
      return;
    }
    const hole = native.seek(fd, start, SEEK_HOLE);
    end = hole > start ? Math.min(hole, stat.size) : stat.size;
    if (start < end) yield [start, end];
  }
}
