import { randomBytes } from 'node:crypto';
import {
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { opendir, unlink } from 'node:fs/promises';
import { errnoOf } from './errors.ts';
import type { Pace } from './pace.ts';
import { mountIdOf } from './resolve/mounts.ts';
import { LIST } from './resolve/native.ts';

/** Deeper than this, directories are first moved up, so that depth never costs descriptors or stack. */
const FLATTEN_AT = 128;
/** The kernel frees the blocks of a larger file in the call that removes its last name. */
export const LARGE_BYTES = 4 * 1024 * 1024;
const ENTRIES_AT_ONCE = 256;
/** A directory file above this size is read in parts, so that no single read holds the event loop. */
const READ_AT_ONCE_BYTES = 32 * 1024;
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
  let removed = 0;
  const clear = async (dirFd: number, dirAt: string | Buffer, depth: number): Promise<void> => {
    for await (const entry of entriesOf(dirFd, dirAt)) {
      const pause = pace.pause();
      if (pause) await pause;
      const child = Buffer.concat([Buffer.from(dirAt), SLASH, entry.name]);
      if (!entry.isDirectory()) {
        if (await removeFile(child)) removed++;
        continue;
      }
      if (depth >= FLATTEN_AT) {
        renameSync(child, `${topAt}/${randomBytes(12).toString('hex')}`);
        removed++;
        continue;
      }
      const fd = openQuietly(child);
      if (fd >= 0) {
        try {
          // The removal of a mount point fails (EBUSY), and what is mounted stays.
          if (isOwn(fd)) await clear(fd, byDescriptor ? `/proc/self/fd/${fd}` : child, depth + 1);
        } finally {
          closeSync(fd);
        }
      }
      if (unlessMissing(() => rmdirSync(child))) removed++;
    }
  };
  try {
    // Directories that were moved up are found by reading the top again. A round that removes nothing ends it.
    for (let before = -1; removed > before && readdirSync(topAt).length > 0; ) {
      before = removed;
      await clear(top, topAt, 1);
    }
  } finally {
    closeSync(top);
  }
  rmdirSync(at);
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

/** Removes a name that is not a directory's; a large file off the event loop. */
async function removeFile(at: string | Buffer): Promise<boolean> {
  const stat = lstatSync(at, { throwIfNoEntry: false });
  if (!stat) return false;
  if (stat.size <= LARGE_BYTES) return unlessMissing(() => unlinkSync(at));
  try {
    await unlink(at);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function openQuietly(at: Buffer): number {
  try {
    return openSync(at, LIST);
  } catch {
    return -1;
  }
}

/** Whether the act was done; `false` when its object was gone or has been filled again. Throws other failures. */
function unlessMissing(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== 'ENOENT' && errno !== 'ENOTEMPTY') throw error;
    return false;
  }
}

/** Removes what exists at `at`, a directory with its content. Throws Node's errors. */
export async function removeAny(at: string, pace: Pace): Promise<void> {
  const stat: Stats | undefined = lstatSync(at, { throwIfNoEntry: false });
  if (stat?.isDirectory()) await removeTree(at, pace);
  else if (stat) await removeFile(at);
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
