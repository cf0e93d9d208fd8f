import { randomBytes } from 'node:crypto';
import {
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { opendir, rmdir } from 'node:fs/promises';
import type { Pace } from './pace.ts';
import { createNameRemovals } from './remove-names.ts';
import { mountIdOf } from './resolve/mounts.ts';
import { LIST } from './resolve/native.ts';

/** Deeper than this, directories are first moved up, so that depth never costs descriptors or stack. */
const FLATTEN_AT = 128;
const ENTRIES_AT_ONCE = 256;
/** A directory file above this size is read in parts, so that no single read holds the event loop. */
const READ_AT_ONCE_BYTES = 8 * 1024;
const SLASH = Buffer.from('/');

/**
 * Deletes the directory `at` with everything below it, in slices, through descriptors, entering no link and no mount.
 * Names are taken as bytes, so that those that are not UTF-8 go too. It also deletes what others add meanwhile; the last
 * `rmdir` fails if they keep adding. Throws Node's errors.
 *
 * @throws WorkspaceError `cancelled`, with a part of it deleted
 */
export async function removeTree(at: string, pace: Pace): Promise<void> {
  const byDescriptor = at.startsWith('/proc/self/fd/');
  const top = openSync(at, LIST);
  const topAt = byDescriptor ? `/proc/self/fd/${top}` : at;
  const ownMount = mountIdOf(top);
  const dev = fstatSync(top).dev;
  const isOwn = (fd: number) => fstatSync(fd).dev === dev && mountIdOf(fd) === ownMount;
  const names = createNameRemovals();
  let movedUp = 0;
  const clear = async (dirFd: number, dirAt: string | Buffer, depth: number): Promise<void> => {
    try {
      for await (const entry of entriesOf(dirFd, dirAt)) {
        const pause = pace.pause();
        if (pause) await pause;
        const child = Buffer.concat([Buffer.from(dirAt), SLASH, entry.name]);
        if (!entry.isDirectory()) await names.unlink(child);
        else if (depth >= FLATTEN_AT) {
          renameSync(child, `${topAt}/${randomBytes(12).toString('hex')}`);
          movedUp++;
        } else {
          await clearChild(child, depth);
          await names.rmdir(child);
        }
      }
    } finally {
      // The caller closes the descriptor, whose number may be another directory's afterwards.
      await names.settled();
    }
    names.check();
  };
  const clearChild = async (at: Buffer, depth: number): Promise<void> => {
    const fd = openQuietly(at);
    if (fd < 0) return;
    try {
      // The removal of a mount point fails (EBUSY), and what is mounted stays.
      if (isOwn(fd)) await clear(fd, byDescriptor ? `/proc/self/fd/${fd}` : at, depth + 1);
    } finally {
      closeSync(fd);
    }
  };
  try {
    // Directories that were moved up are found by reading the top again. A round that changes nothing ends it.
    for (let before = -1; names.removed + movedUp > before && !isEmpty(topAt); ) {
      before = names.removed + movedUp;
      await clear(top, topAt, 1);
    }
  } finally {
    closeSync(top);
  }
  await rmdir(at);
}

/** Reads one part of the directory: all names of a large one would hold the event loop. */
function isEmpty(at: string): boolean {
  const directory = opendirSync(at);
  try {
    return directory.readSync() === null;
  } finally {
    directory.closeSync();
  }
}

async function* entriesOf(fd: number, at: string | Buffer): AsyncGenerator<Dirent<Buffer>> {
  if (fstatSync(fd).size <= READ_AT_ONCE_BYTES) yield* readdirSync(at, { withFileTypes: true, encoding: 'buffer' });
  // The types of Node know names as bytes for `readdir` only.
  else
    yield* (await opendir(at as string, {
      encoding: 'buffer' as 'utf8',
      bufferSize: ENTRIES_AT_ONCE,
    })) as unknown as AsyncIterable<Dirent<Buffer>>;
}

function openQuietly(at: Buffer): number {
  try {
    return openSync(at, LIST);
  } catch {
    return -1;
  }
}

/** Removes what exists at `at`, a directory with its content. Throws Node's errors. */
export async function removeAny(at: string, pace: Pace): Promise<void> {
  const stat: Stats | undefined = lstatSync(at, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) return removeTree(at, pace);
  const names = createNameRemovals();
  await names.unlink(at);
  await names.settled();
  names.check();
}

/** {@link removeAny} for cleaning up: does not throw. */
export async function removeQuietly(at: string, pace: Pace): Promise<void> {
  try {
    await removeAny(at, pace);
  } catch {
    // Another process removed it, or this one may not.
  }
}

/** Removes a temporary file. Does not throw. */
export function removeTemp(at: string): void {
  try {
    unlinkSync(at);
  } catch {
    // It was renamed into place, or another process removed it.
  }
}
