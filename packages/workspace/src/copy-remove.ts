import { closeSync, constants, copyFileSync, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmdirSync, type Stats, unlinkSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { errnoOf, WorkspaceError } from './errors.ts';
import { sameFile } from './resolve/dir.ts';
import { O_NOFOLLOW } from './resolve/native.ts';
import { LIST } from './resolve/open-directory.ts';
import { visitTree } from './visit-tree.ts';

const READ = constants.O_RDONLY | O_NOFOLLOW | (constants.O_NONBLOCK ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW;

/**
 * Copies one regular file to a name that must not exist, through descriptors: never through a link on either side.
 * Mode bits are kept, without set-id bits. Throws Node's errors; `ELOOP` when the source is a link.
 *
 * @returns what was read and what was made
 */
export function copyRegular(from: string, to: string): { source: Stats; made: Stats } {
  const source = openSync(from, READ);
  try {
    const stat = fstatSync(source);
    if (!stat.isFile()) throw new WorkspaceError('not_regular', 'Not a regular file');
    if (from.startsWith('/proc/self/fd/')) {
      // The kernel copies (or clones) between the two objects; O_EXCL makes the name ours or fails.
      copyFileSync(`/proc/self/fd/${source}`, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      return { source: stat, made: lstatSync(to) };
    }
    return { source: stat, made: copyBytes(source, stat, to) };
  } finally {
    closeSync(source);
  }
}

function copyBytes(source: number, stat: Stats, to: string): Stats {
  const target = openSync(to, CREATE, stat.mode & 0o777);
  try {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    for (let n = readSync(source, buffer, 0, buffer.length, null); n > 0; n = readSync(source, buffer, 0, buffer.length, null)) {
      writeSync(target, buffer, 0, n);
    }
    fchmodSync(target, stat.mode & 0o777);
    return fstatSync(target);
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

/**
 * Copies the directory `from` to the name `to`, which must not exist. Links are left out: Croft makes none.
 *
 * @param everything also protected names (for the trash, which must be able to give them back)
 */
export function copyTree(from: string, to: string, everything: boolean, leaveOut?: (path: string) => boolean): TreeCopy {
  const done: TreeCopy = { files: 0, directories: 0, bytes: 0, skipped: 0 };
  const source = openSync(from, LIST);
  const byDescriptor = from.startsWith('/proc/self/fd/');
  try {
    mkdirSync(to, 0o755);
    done.directories++;
    const copyInto = (fromAt: string, toAt: string, path: string, depth: number): void => {
      const target = byDescriptor ? openSync(toAt, LIST) : -1;
      const into = byDescriptor ? `/proc/self/fd/${target}` : toAt;
      try {
        visitTree(fromAt, { maxDepth: 1, denyList: !everything }, (entry) => {
          const below = path === '' ? entry.name : `${path}/${entry.name}`;
          if (leaveOut?.(below) || depth > 256) done.skipped++;
          else if (entry.type === 'file') copyOne(entry.at, `${into}/${entry.name}`, done);
          else if (entry.type === 'directory') {
            const child = openQuietly(entry.at);
            if (child < 0) return 'skip';
            try {
              mkdirSync(`${into}/${entry.name}`, 0o755);
              done.directories++;
              copyInto(byDescriptor ? `/proc/self/fd/${child}` : entry.at, `${into}/${entry.name}`, below, depth + 1);
            } finally {
              closeSync(child);
            }
          } else done.skipped++;
          return 'skip';
        });
      } finally {
        if (target >= 0) closeSync(target);
      }
    };
    copyInto(byDescriptor ? `/proc/self/fd/${source}` : from, to, '', 1);
    return done;
  } finally {
    closeSync(source);
  }
}

function copyOne(from: string, to: string, done: TreeCopy): void {
  try {
    done.bytes += copyRegular(from, to).made.size;
    done.files++;
  } catch (error) {
    // Gone, exchanged or unreadable meanwhile: left out. A full disk or a name in the way is the caller's failure.
    const errno = errnoOf(error);
    if (errno === 'ENOSPC' || errno === 'EDQUOT' || errno === 'EEXIST') throw error;
    done.skipped++;
  }
}

function openQuietly(at: string): number {
  try {
    return openSync(at, LIST);
  } catch {
    return -1;
  }
}

/** Deeper than this, directories are first moved up, so that depth never costs descriptors or stack. */
const FLATTEN_AT = 128;

/**
 * Deletes the directory `at` with everything below it, through descriptors, entering no link. What others put there
 * meanwhile is deleted too; the last `rmdir` fails if they keep going.
 */
export function removeTree(at: string): void {
  const byDescriptor = at.startsWith('/proc/self/fd/');
  const top = openSync(at, LIST);
  const topAt = byDescriptor ? `/proc/self/fd/${top}` : at;
  try {
    const clear = (dirAt: string, depth: number): void => {
      for (const entry of readdirSync(dirAt, { withFileTypes: true })) {
        const child = `${dirAt}/${entry.name}`;
        if (!entry.isDirectory()) {
          ignoreMissing(() => unlinkSync(child));
        } else if (depth >= FLATTEN_AT) {
          renameSync(child, `${topAt}/${randomBytes(12).toString('hex')}`);
        } else {
          const fd = openQuietly(child);
          if (fd < 0) continue;
          try {
            clear(byDescriptor ? `/proc/self/fd/${fd}` : child, depth + 1);
          } finally {
            closeSync(fd);
          }
          ignoreMissing(() => rmdirSync(child));
        }
      }
    };
    // What was moved up is found by reading the top again.
    for (let round = 0; round < 1_000 && readdirSync(topAt).length > 0; round++) clear(topAt, 1);
  } finally {
    closeSync(top);
  }
  rmdirSync(at);
}

function ignoreMissing(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Whether the object now at `at` is still `expected`. */
export function isStill(at: string, expected: Stats): boolean {
  const now = lstatSync(at, { throwIfNoEntry: false });
  return now !== undefined && sameFile(now, expected);
}
