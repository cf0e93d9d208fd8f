import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Enclosure, requireWritable } from '../enclosure.ts';
import { errnoOf, osReason, throwIfCancelled, whenReady, WorkspaceError } from '../errors.ts';
import { locateOrNothing, NothingThere } from '../resolve/locate.ts';
import { removeTemp } from '../remove-tree.ts';
import { O_NOFOLLOW } from '../resolve/native.ts';
import { tempName } from '../temp-name.ts';
import { forCall } from './for-call.ts';
import { placeEntry } from './replace.ts';
import type { Replaced } from './place-temp.ts';
import {
  atReplaceable,
  requireReplaceable,
  requireVersion,
  type WriteOptions,
  type WriteOutcome,
} from './write-file.ts';

const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW;
const COPY_BYTES = 256 * 1024;

export interface ReceiveOptions extends WriteOptions {
  /** More is refused, and nothing is kept. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when all bytes have come, in the same turn of the event loop as the file gets its name. The caller checks again what
   * may have changed since the call began: if this throws, nothing is kept, and the error is the result.
   */
  readonly beforePlacing?: (() => void) | undefined;
}

/**
 * Creates or replaces a file with the bytes of a stream, making missing parents. Uses a temporary file in the
 * workspace's root, which gets the final name when it is complete; an incomplete stream leaves nothing. Holds one chunk
 * in memory. Checks the quota at the end: bytes of a running upload do not count.
 *
 * @throws WorkspaceError as `writeFile`, `cancelled`, and what the stream throws
 */
export async function receiveFile(
  enclosure: Enclosure,
  path: string,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<WriteOutcome> {
  requireWritable(enclosure);
  refuseEarly(enclosure, path, options);
  const release = enclosure.root.hold();
  const at = enclosure.root.dir.at(tempName());
  let file: FileHandle | undefined;
  try {
    file = await open(at, CREATE, 0o644);
    const bytesWritten = await gather(file, source, options);
    if (enclosure.durable) await file.sync();
    const { fd } = file;
    const own: Enclosure = { ...forCall(enclosure, options), author: 'person' };
    const placed = await whenReady(() => {
      options.beforePlacing?.();
      return placeReceived(own, path, { fd, at }, bytesWritten, options);
    }, options.signal);
    return { ...placed, bytesWritten };
  } catch (error) {
    if (errnoOf(error) === undefined || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new WorkspaceError('io', `Cannot write file: ${osReason(error)}`, { cause: error });
  } finally {
    await file?.close();
    removeTemp(at);
    release();
  }
}

/** Refuses a file that cannot be placed, before its bytes arrive. */
function refuseEarly(enclosure: Enclosure, path: string, options: WriteOptions): void {
  const found = locateOrNothing(enclosure, path, { forChange: true });
  // Missing parents are made when the file is placed.
  if (found instanceof NothingThere) return;
  try {
    requireReplaceable(enclosure, found);
    requireVersion(found, options.expectedVersion);
  } finally {
    found.close();
  }
}

async function gather(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: ReceiveOptions,
): Promise<number> {
  let size = 0;
  for await (const chunk of source) {
    throwIfCancelled(signal);
    size += chunk.length;
    if (size > maxBytes)
      throw new WorkspaceError('too_large', `The file is larger than the ${maxBytes} bytes that are taken at once`);
    for (let done = 0; done < chunk.length; ) done += (await file.write(chunk, done)).bytesWritten;
  }
  return size;
}

/** A received file. The descriptor identifies it; another process may have replaced the file at the name. */
interface Gathered {
  readonly fd: number;
  readonly at: string;
}

function placeReceived(
  enclosure: Enclosure,
  path: string,
  gathered: Gathered,
  size: number,
  options: WriteOptions,
): Replaced {
  return atReplaceable(enclosure, path, options.expectedVersion, (place, accept) => {
    const end = enclosure.quota?.reserve(size - (place.stat?.size ?? 0), place.stat ? 0 : 1);
    try {
      const placed = placeEntry(enclosure, place, (to) => fill(gathered, to, place.stat), accept);
      // Now, not after the descriptor is closed: other calls refuse to write a file that has two names.
      removeTemp(gathered.at);
      return placed;
    } finally {
      end?.();
    }
  });
}

/**
 * Gives the received file its second name by a hard link, or copies it to another file system. A process with write
 * access to the directory can replace the first name by a link, so the new name must lead to the file of the
 * descriptor.
 */
function fill({ fd, at }: Gathered, to: string, old: Stats | undefined): Stats {
  const mode = old && old.mode & 0o777;
  if (mode !== undefined) fchmodSync(fd, mode);
  const own = fstatSync(fd);
  try {
    linkSync(at, to);
  } catch {
    return copyFrom(fd, to, own.mode & 0o777);
  }
  const named = lstatSync(to);
  if (named.ino === own.ino && named.dev === own.dev) return named;
  unlinkSync(to);
  throw new WorkspaceError('changed', 'The file changed while it was received; nothing was kept. Send it again');
}

function copyFrom(fd: number, to: string, mode: number): Stats {
  const target = openSync(to, CREATE, mode);
  try {
    const buffer = Buffer.allocUnsafe(COPY_BYTES);
    for (let position = 0; ; ) {
      const size = readSync(fd, buffer, 0, buffer.length, position);
      if (size === 0) break;
      for (let done = 0; done < size; ) done += writeSync(target, buffer, done, size - done);
      position += size;
    }
    fchmodSync(target, mode);
    return fstatSync(target);
  } finally {
    closeSync(target);
  }
}
