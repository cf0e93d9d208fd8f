import { chmodSync, constants, copyFileSync, linkSync, lstatSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { removeEntry } from '../copy-remove.ts';
import { type Enclosure, requireWritable } from '../enclosure.ts';
import { errnoOf, osReason, throwIfCancelled, WorkspaceError } from '../errors.ts';
import { type Located, locate } from '../resolve/locate.ts';
import { O_NOFOLLOW } from '../resolve/native.ts';
import { NothingThere } from '../resolve/walk.ts';
import { tempName } from '../temp-name.ts';
import { placeEntry, type Replaced } from './replace.ts';
import { requireReplaceable, requireVersion, type WriteOptions, type WriteOutcome } from './write-file.ts';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW;
const MAX_ROUNDS = 5;

export interface ReceiveOptions extends WriteOptions {
  /** More is refused, and nothing is kept. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates or replaces a file with what a stream brings, making missing parents. It is gathered in a temporary file in the
 * workspace's root and has its name only when it is whole; what does not arrive whole leaves nothing. Holds one chunk in
 * memory. What is under way is not counted into the quota, which is asked when all is there.
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
  const at = enclosure.root.dir.at(tempName());
  let file: FileHandle | undefined;
  try {
    file = await open(at, CREATE, 0o644);
    const bytesWritten = await gather(file, source, options);
    if (enclosure.durable) await file.sync();
    await file.close();
    file = undefined;
    return { ...placeReceived(enclosure, path, at, bytesWritten, options), bytesWritten };
  } catch (error) {
    if (errnoOf(error) === undefined || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new WorkspaceError('io', `Cannot write file: ${osReason(error)}`, { cause: error });
  } finally {
    await file?.close();
    removeEntry(at);
  }
}

/** What cannot be placed is refused before its bytes have come. */
function refuseEarly(enclosure: Enclosure, path: string, options: WriteOptions): void {
  let found: Located;
  try {
    found = locate(enclosure, path);
  } catch (error) {
    // Its parents are made when it is placed.
    if (error instanceof NothingThere) return;
    throw error;
  }
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

function placeReceived(enclosure: Enclosure, path: string, at: string, size: number, options: WriteOptions): Replaced {
  for (let round = 1; ; round++) {
    const found = locate(enclosure, path, { makeParents: true });
    try {
      requireReplaceable(enclosure, found);
      requireVersion(found, options.expectedVersion);
      enclosure.quota?.reserve(enclosure.root.dir, size - (found.stat?.size ?? 0), found.stat ? 0 : 1);
      return placeEntry(enclosure, found, (to) => fill(at, to, found.stat));
    } catch (error) {
      found.unmake();
      if (!(error instanceof WorkspaceError && error.code === 'exists') || round >= MAX_ROUNDS) throw error;
    } finally {
      found.close();
    }
  }
}

/** A second name for what was gathered, or a copy where the target is another file system. */
function fill(at: string, to: string, old: Stats | undefined): Stats {
  try {
    linkSync(at, to);
  } catch {
    copyFileSync(at, to, constants.COPYFILE_EXCL);
  }
  if (old) chmodSync(to, old.mode & 0o777);
  return lstatSync(to);
}
