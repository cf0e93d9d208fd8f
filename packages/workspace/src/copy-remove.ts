import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import type { DenyList } from './deny-list.ts';
import { errnoOf, WorkspaceError } from './errors.ts';
import { O_NOFOLLOW } from './resolve/native.ts';
import { mountIdOf } from './resolve/mounts.ts';
import { LIST } from './resolve/native.ts';
import { type VisitedEntry, visitTree } from './visit-tree.ts';

const READ = constants.O_RDONLY | O_NOFOLLOW | (constants.O_NONBLOCK ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW;
const SET_ID = 0o7000;

/**
 * Copies one regular file to a name that must not exist, through descriptors: never through a link on either side.
 * Mode bits are kept, without set-id bits. Throws Node's errors; `ELOOP` when the source is a link. Leaves nothing
 * when it fails.
 *
 * @param keepTime give the copy the source's time, to the microsecond
 * @returns what was read and what was made
 */
export function copyRegular(from: string, to: string, keepTime = false): { source: Stats; made: Stats } {
  const source = openSync(from, READ);
  try {
    const stat = fstatSync(source);
    if (!stat.isFile()) throw new WorkspaceError('not_regular', 'Not a regular file');
    let made: Stats;
    if (from.startsWith('/proc/self/fd/') && (stat.mode & SET_ID) === 0) {
      // The kernel copies (or clones) between the two objects; O_EXCL makes the name ours or fails.
      copyFileSync(`/proc/self/fd/${source}`, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      made = lstatSync(to);
    } else made = copyBytes(source, stat, to);
    if (!keepTime) return { source: stat, made };
    // A little past the microsecond, because the way to the system cuts what lies a hair below it.
    lutimesSync(to, stat.atimeMs / 1e3, (Math.round(stat.mtimeMs * 1e3) + 0.3) / 1e6);
    return { source: stat, made: lstatSync(to) };
  } finally {
    closeSync(source);
  }
}

function copyBytes(source: number, stat: Stats, to: string): Stats {
  const target = openSync(to, CREATE, stat.mode & 0o777);
  try {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    for (
      let n = readSync(source, buffer, 0, buffer.length, null);
      n > 0;
      n = readSync(source, buffer, 0, buffer.length, null)
    ) {
      for (let done = 0; done < n; ) done += writeSync(target, buffer, done, n - done);
    }
    fchmodSync(target, stat.mode & 0o777);
    return fstatSync(target);
  } catch (error) {
    unlinkSync(to);
    throw error;
  } finally {
    closeSync(target);
  }
}

/** What a tree copy did, and what it left out: links, special files, protected and masked names. */
export interface TreeCopy {
  files: number;
  directories: number;
  bytes: number;
  skipped: number;
}

export interface TreeCopyOptions {
  /** Leave protected names out. */
  readonly denyList: DenyList;
  /** Also links (as links), reserved and temporary names, and times: for the trash, which must be able to give all of it back. */
  readonly exact?: boolean;
  /** Further entries, by their path below the start, to leave out. */
  readonly leaveOut?: ((path: string, entry: VisitedEntry) => boolean) | undefined;
}

const MAX_COPY_DEPTH = 256;

/** Copies the directory `from` to the name `to`, which must not exist. Modes are kept. */
export function copyTree(from: string, to: string, options: TreeCopyOptions): TreeCopy {
  const done: TreeCopy = { files: 0, directories: 0, bytes: 0, skipped: 0 };
  const source = openSync(from, LIST);
  // On either side: where one has /proc, both do.
  const byDescriptor = from.startsWith('/proc/self/fd/') || to.startsWith('/proc/self/fd/');
  const visiting = { maxDepth: 1, denyList: options.denyList, showReserved: options.exact ?? false };
  const copyDirectory = (fd: number, fromAt: string, toAt: string, path: string, depth: number): void => {
    mkdirSync(toAt, 0o700);
    done.directories++;
    const target = byDescriptor ? openSync(toAt, LIST) : -1;
    const into = byDescriptor ? `/proc/self/fd/${target}` : toAt;
    try {
      visitTree(byDescriptor ? `/proc/self/fd/${fd}` : fromAt, visiting, (entry) => {
        const below = path === '' ? entry.name : `${path}/${entry.name}`;
        if (options.leaveOut?.(below, entry) || depth > MAX_COPY_DEPTH) done.skipped++;
        else if (entry.type === 'directory') {
          const child = openQuietly(entry.at);
          if (child < 0) done.skipped++;
          else
            try {
              copyDirectory(child, entry.at, `${into}/${entry.name}`, below, depth + 1);
            } finally {
              closeSync(child);
            }
        } else copyEntry(entry, `${into}/${entry.name}`, options, done);
        return 'skip';
      });
      // Last, as a directory may forbid its owner to write in it.
      const mode = fstatSync(fd).mode & 0o777;
      if (target >= 0) fchmodSync(target, mode);
      else chmodSync(toAt, mode);
    } finally {
      if (target >= 0) closeSync(target);
    }
  };
  try {
    copyDirectory(source, from, to, '', 1);
    return done;
  } finally {
    closeSync(source);
  }
}

function copyEntry(entry: VisitedEntry, to: string, options: TreeCopyOptions, done: TreeCopy): void {
  try {
    if (entry.type === 'file') {
      done.bytes += copyRegular(entry.at, to, options.exact).made.size;
      done.files++;
    } else if (entry.type === 'link' && options.exact) symlinkSync(readlinkSync(entry.at), to);
    else done.skipped++;
  } catch (error) {
    // Gone, exchanged or unreadable meanwhile: left out. A full disk or a name in the way is the caller's failure.
    const errno = errnoOf(error);
    if (errno === 'ENOSPC' || errno === 'EDQUOT' || errno === 'EEXIST') throw error;
    done.skipped++;
  }
}

function openQuietly(at: string | Buffer): number {
  try {
    return openSync(at, LIST);
  } catch {
    return -1;
  }
}

/** Deeper than this, directories are first moved up, so that depth never costs descriptors or stack. */
const FLATTEN_AT = 128;

/**
 * Deletes the directory `at` with everything below it, through descriptors, entering no link and no mount. Names are taken as
 * bytes, so that those that are no UTF-8 go too. What others put there meanwhile is deleted as well; the last `rmdir`
 * fails if they keep going.
 */
export function removeTree(at: string): void {
  const byDescriptor = at.startsWith('/proc/self/fd/');
  const top = openSync(at, LIST);
  const topAt = byDescriptor ? `/proc/self/fd/${top}` : at;
  const ownMount = mountIdOf(top);
  const dev = fstatSync(top).dev;
  const isOwn = (fd: number) => fstatSync(fd).dev === dev && mountIdOf(fd) === ownMount;
  let removed = 0;
  const clear = (dirAt: string | Buffer, depth: number): void => {
    for (const entry of readdirSync(dirAt, { withFileTypes: true, encoding: 'buffer' })) {
      const child = Buffer.concat([Buffer.from(dirAt), SLASH, entry.name]);
      if (entry.isDirectory() && depth >= FLATTEN_AT) {
        renameSync(child, `${topAt}/${randomBytes(12).toString('hex')}`);
        removed++;
        continue;
      }
      const fd = entry.isDirectory() ? openQuietly(child) : -1;
      if (fd >= 0) {
        try {
          // The removal of a mount point fails (EBUSY), and what is mounted stays.
          if (isOwn(fd)) clear(byDescriptor ? `/proc/self/fd/${fd}` : child, depth + 1);
        } finally {
          closeSync(fd);
        }
      }
      if (unlessMissing(() => (entry.isDirectory() ? rmdirSync(child) : unlinkSync(child)))) removed++;
    }
  };
  try {
    // What was moved up is found by reading the top again; a round that removes nothing will not be better next time.
    for (let before = -1; removed > before && readdirSync(topAt).length > 0; ) {
      before = removed;
      clear(topAt, 1);
    }
  } finally {
    closeSync(top);
  }
  rmdirSync(at);
}

const SLASH = Buffer.from('/');

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

/** Removes whatever stands at `at`, a directory with its content. Never throws: for cleaning up. */
export function removeEntry(at: string): void {
  try {
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat?.isDirectory()) removeTree(at);
    else if (stat) unlinkSync(at);
  } catch {
    // Somebody else removed it, or we may not.
  }
}
