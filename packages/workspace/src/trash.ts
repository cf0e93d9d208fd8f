import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, type Stats, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { copyRegular, copyTree, removeTree } from './copy-remove.ts';
import { errnoOf } from './errors.ts';
import { sameFile } from './resolve/dir.ts';

/**
 * Keeps what a mutation overwrites or deletes, outside the workspace, so that a person can take it back. Bounded in
 * bytes and items: the oldest go first, and what is larger than the whole bound is not kept.
 */
export interface Trash {
  /** Keeps a second name for (or a copy of) the file at `at`, which is about to be replaced. */
  keep(at: string, stat: Stats): string | undefined;
  /** Moves the file or directory at `at` here: this is the deletion. `undefined` when it could not be moved. */
  take(at: string, bytes: number): string | undefined;
  /** Host path of a kept item, or `undefined` when it was never kept or has been dropped. */
  find(id: string): string | undefined;
  /** Forgets an item, e.g. one that did not turn out to be what was meant to be kept. */
  drop(id: string): void;
}

export interface TrashLimits {
  readonly maxBytes: number;
  readonly maxItems: number;
}

export const DEFAULT_TRASH_LIMITS: TrashLimits = { maxBytes: 256 * 1024 * 1024, maxItems: 10_000 };

/** Items added before the bound is checked on disk again; other processes may share the directory. */
const CHECK_EVERY = 64;

/** Opens (and makes, 0700) a trash directory. It must lie outside every workspace. */
export function openTrash(directory: string, limits: TrashLimits = DEFAULT_TRASH_LIMITS): Trash {
  let made = false;
  let sinceCheck = CHECK_EVERY;
  let bytesSinceCheck = 0;
  const newId = (bytes: number) => {
    if (!made) mkdirSync(directory, { recursive: true, mode: 0o700 });
    made = true;
    // The size stands in the name, so that the bound can be kept without reading what was kept.
    return `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(5).toString('hex')}-${bytes.toString(36)}`;
  };
  const added = (bytes: number) => {
    bytesSinceCheck += bytes;
    if (++sinceCheck < CHECK_EVERY && bytesSinceCheck < limits.maxBytes / 16) return;
    prune(directory, limits);
    sinceCheck = 0;
    bytesSinceCheck = 0;
  };
  return {
    keep(at, stat) {
      if (stat.size > limits.maxBytes) return undefined;
      const id = newId(stat.size);
      const target = join(directory, id);
      if (!linkOrCopy(at, target, stat)) return undefined;
      added(stat.size);
      return id;
    },
    take(at, bytes) {
      if (bytes > limits.maxBytes) return undefined;
      const id = newId(bytes);
      const target = join(directory, id);
      try {
        renameSync(at, target);
      } catch (error) {
        if (errnoOf(error) !== 'EXDEV') throw error;
        copyThenRemove(at, target);
      }
      added(bytes);
      return id;
    },
    find(id) {
      if (!/^[0-9a-z]+-[0-9a-f]{10}-[0-9a-z]+$/.test(id)) return undefined;
      const path = join(directory, id);
      return lstatSync(path, { throwIfNoEntry: false }) ? path : undefined;
    },
    drop(id) {
      const path = this.find(id);
      if (path) discard(path);
    },
  };
}

/**
 * A hard link costs nothing and holds the old bytes, because a write never happens in place; across file systems a
 * copy is made. `false` when what stood there was no longer the file that was looked at.
 */
function linkOrCopy(at: string, target: string, expected: Stats): boolean {
  try {
    linkSync(at, target);
    if (sameFile(lstatSync(target), expected)) return true;
    unlinkSync(target);
    return false;
  } catch {
    // Another file system, or one without hard links.
  }
  try {
    if (sameFile(copyRegular(at, target).source, expected)) return true;
  } catch {
    // Unreadable, exchanged for a link, or no room left.
  }
  rmSync(target, { force: true });
  return false;
}

/** Across file systems. Throws, with both sides as they were, when the copy cannot be made. */
function copyThenRemove(at: string, target: string): void {
  const isDirectory = lstatSync(at).isDirectory();
  try {
    if (isDirectory) copyTree(at, target, true);
    else copyRegular(at, target);
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    throw error;
  }
  if (isDirectory) removeTree(at);
  else unlinkSync(at);
}

function prune(directory: string, limits: TrashLimits): void {
  const names = readdirSync(directory).sort();
  const sizes = names.map((name) => Number.parseInt(name.split('-')[2] ?? '0', 36) || 0);
  let bytes = sizes.reduce((sum, size) => sum + size, 0);
  let items = names.length;
  for (let i = 0; i < names.length && (bytes > limits.maxBytes || items > limits.maxItems); i++) {
    discard(join(directory, names[i] as string));
    bytes -= sizes[i] as number;
    items--;
  }
}

/** Another process may prune the same item at the same time. */
function discard(path: string): void {
  try {
    if (lstatSync(path).isDirectory()) removeTree(path);
    else unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
