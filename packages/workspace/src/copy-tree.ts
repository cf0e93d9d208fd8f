import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { copyRegular } from './copy-file.ts';
import { type DenyList, deniedName } from './deny-list.ts';
import { errnoOf, osReason, WorkspaceError } from './errors.ts';
import type { Pace } from './pace.ts';
import { LIST } from './resolve/native.ts';
import { visitInSlices } from './visit-in-slices.ts';
import type { VisitedEntry } from './visit-tree.ts';

/**
 * Counts of a tree copy. `skipped`: links, special files, protected and masked names, names that are not UTF-8, entries
 * deeper than 256 levels, and what vanished meanwhile.
 */
export interface TreeCopy {
  files: number;
  directories: number;
  bytes: number;
  skipped: number;
}

export interface TreeCopyOptions {
  readonly pace: Pace;
  /** Leave protected names out. */
  readonly denyList: DenyList;
  /**
   * Also links (as links), reserved and temporary names, times, and the sticky and set-group-id bits of directories: for the
   * trash, which must give all of it back.
   */
  readonly exact?: boolean;
  /** How the caller wrote the start, for messages. */
  readonly written?: string;
  /** Further entries, by their path below the start, to leave out. */
  readonly leaveOut?: ((path: string, entry: VisitedEntry) => boolean) | undefined;
}

const MAX_COPY_DEPTH = 256;

/**
 * Copies the directory `from` to the name `to`, which must not exist, in slices. Modes are kept. Throws Node's errors.
 *
 * @throws WorkspaceError `cancelled`, `io` for an entry that cannot be copied; with a part at `to`
 */
export async function copyTree(from: string, to: string, options: TreeCopyOptions): Promise<TreeCopy> {
  const done: TreeCopy = { files: 0, directories: 0, bytes: 0, skipped: 0 };
  const source = openSync(from, LIST);
  // On either side: where one has /proc, both do.
  const byDescriptor = from.startsWith('/proc/self/fd/') || to.startsWith('/proc/self/fd/');
  const visiting = {
    maxDepth: 1,
    denyList: options.denyList,
    showReserved: options.exact ?? false,
    onHidden: (name: string) => {
      // Temporary and reserved names are Croft's own, and no part of what a caller copies.
      if (options.denyList && deniedName(name, options.denyList) !== undefined) done.skipped++;
    },
    pace: options.pace,
  };
  const copyDirectory = async (
    fd: number,
    fromAt: string,
    toAt: string,
    path: string,
    depth: number,
  ): Promise<void> => {
    mkdirSync(toAt, 0o700);
    done.directories++;
    const target = byDescriptor ? openSync(toAt, LIST) : -1;
    const into = byDescriptor ? `/proc/self/fd/${target}` : toAt;
    try {
      const onUnread = (error: unknown) => requireGone(error, path, options);
      await visitInSlices(byDescriptor ? `/proc/self/fd/${fd}` : fromAt, { ...visiting, onUnread }, async (entry) => {
        const below = path === '' ? entry.name : `${path}/${entry.name}`;
        if (options.leaveOut?.(below, entry) || depth > MAX_COPY_DEPTH) done.skipped++;
        else if (entry.type === 'directory') {
          const child = openOrGone(entry.at, below, options);
          if (child === undefined) done.skipped++;
          else
            try {
              await copyDirectory(child, entry.at, `${into}/${entry.name}`, below, depth + 1);
            } finally {
              closeSync(child);
            }
        } else await copyEntry({ ...entry, path: below }, `${into}/${entry.name}`, options, done);
        return 'skip' as const;
      });
      // Last, as a directory may forbid its owner to write in it.
      const mode = fstatSync(fd).mode & (options.exact ? 0o3777 : 0o777);
      if (target >= 0) fchmodSync(target, mode);
      else chmodSync(toAt, mode);
    } finally {
      if (target >= 0) closeSync(target);
    }
  };
  try {
    await copyDirectory(source, from, to, '', 1);
    return done;
  } finally {
    closeSync(source);
  }
}

async function copyEntry(entry: VisitedEntry, to: string, options: TreeCopyOptions, done: TreeCopy): Promise<void> {
  try {
    if (entry.type === 'file') {
      done.bytes += (await copyRegular(entry.at, to, options.pace, options.exact)).made.size;
      done.files++;
    } else if (entry.type === 'link' && options.exact) symlinkSync(readlinkSync(entry.at), to);
    else done.skipped++;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'cancelled') throw error;
    // A full disk or a name in the way is the caller's failure.
    const errno = errnoOf(error);
    if (errno === 'ENOSPC' || errno === 'EDQUOT' || errno === 'EEXIST') throw error;
    requireGone(error, entry.path, options);
    done.skipped++;
  }
}

function openOrGone(at: string, path: string, options: TreeCopyOptions): number | undefined {
  try {
    return openSync(at, LIST);
  } catch (error) {
    requireGone(error, path, options);
    return undefined;
  }
}

/** How an entry fails that vanished or was exchanged after it was met. */
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);

/** @throws WorkspaceError `io` for what is there and cannot be copied: a copy without it would look complete */
function requireGone(error: unknown, path: string, { written }: TreeCopyOptions): void {
  if (error instanceof WorkspaceError && error.code === 'not_regular') return;
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  if (GONE.has(errno)) return;
  const name = [written, path].filter(Boolean).join('/');
  throw new WorkspaceError('io', `Cannot copy ${name}: ${osReason(error)}`, { cause: error });
}

/**
 * Copies a file, link or directory to another file system, links as links: it never reads what a link leads to.
 *
 * @returns `false`, with the source as it was and perhaps a part at `target`, when not all of it could be copied
 * @throws WorkspaceError `cancelled`
 */
export async function copyAcross(from: string, target: string, pace: Pace): Promise<boolean> {
  const stat = lstatSync(from);
  try {
    if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from), target);
    else if (stat.isDirectory())
      return (await copyTree(from, target, { denyList: false, exact: true, pace })).skipped === 0;
    else if (stat.isFile()) await copyRegular(from, target, pace, true);
    else return false;
    return true;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'cancelled') throw error;
    if (errnoOf(error) === undefined && !(error instanceof WorkspaceError)) throw error;
    return false;
  }
}
