import { randomBytes } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  renameSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { copyRegular, copyTree, removeTree } from './copy-remove.ts';
import { makeDirs } from './make-dirs.ts';
import { errnoOf, WorkspaceError } from './errors.ts';
import { type DirKind, openDir, sameFile } from './resolve/dir.ts';

/**
 * Keeps what a mutation overwrites or deletes, outside the workspace, so that a person can take it back. Bounded in
 * bytes and items: the oldest go first, and what is larger than the whole bound is not kept.
 */
export interface Trash {
  /** Keeps a second name for (or a copy of) the file at `at`, which is about to be replaced. */
  keep(at: string, stat: Stats): string | undefined;
  /**
   * Moves the file, link or directory at `at` here: this is the deletion. `undefined`, with all as it was, when it
   * cannot be kept: too large, or on another device and not to be copied in full.
   */
  take(at: string, bytes: number): string | undefined;
  /** Host path of a kept item, or `undefined` when it was never kept or has been dropped. */
  find(id: string): string | undefined;
  /** Forgets an item, e.g. one that did not turn out to be what was meant to be kept. */
  drop(id: string): void;
  /**
   * How many names kept here lead to this very file. More than none while another call is between keeping and
   * replacing it, or for good where a process was killed there: such a name is no second owner of the content.
   */
  namesOf(stat: Stats): number;
}

export interface TrashLimits {
  readonly maxBytes: number;
  readonly maxItems: number;
}

export const DEFAULT_TRASH_LIMITS: TrashLimits = { maxBytes: 256 * 1024 * 1024, maxItems: 10_000 };

/**
 * Items added before the bound is checked on disk again, at least, and as a share of the bound: a check reads the whole
 * directory. Other processes may share it, so it is never only counted.
 */
const CHECK_EVERY = 64;
const CHECK_SHARE = 16;
const ITEM = /^[0-9a-z]+-[0-9a-f]{10}-[0-9a-z]+$/;

/** Opens a trash directory (made on first need, 0700). It must lie outside every workspace. */
export function openTrash(
  directory: string,
  limits: TrashLimits = DEFAULT_TRASH_LIMITS,
  kind: DirKind = 'path',
): Trash {
  let made = false;
  const checkEvery = Math.max(CHECK_EVERY, limits.maxItems / CHECK_SHARE);
  let sinceCheck = checkEvery;
  let bytesSinceCheck = 0;
  const newId = (bytes: number) => {
    if (!made) makeDirs(directory);
    made = true;
    // The size stands in the name, so that the bound can be kept without reading what was kept.
    return `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(5).toString('hex')}-${bytes.toString(36)}`;
  };
  const added = (bytes: number) => {
    bytesSinceCheck += bytes;
    if (++sinceCheck < checkEvery && bytesSinceCheck < limits.maxBytes / CHECK_SHARE) return;
    prune(directory, limits, kind);
    sinceCheck = 0;
    bytesSinceCheck = 0;
  };
  return {
    keep(at, stat) {
      if (stat.size > limits.maxBytes) return undefined;
      const id = newId(stat.size);
      if (!linkOrCopy(at, join(directory, id), stat)) return undefined;
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
        if (!copyAcross(at, target)) {
          discard(directory, id, kind);
          return undefined;
        }
        if (lstatSync(at).isDirectory()) removeTree(at);
        else unlinkSync(at);
      }
      added(bytes);
      return id;
    },
    find(id) {
      if (!ITEM.test(id)) return undefined;
      const path = join(directory, id);
      return lstatSync(path, { throwIfNoEntry: false }) ? path : undefined;
    },
    drop(id) {
      if (ITEM.test(id)) discard(directory, id, kind);
    },
    namesOf(stat) {
      return itemsIn(directory).filter((name) => {
        const kept = lstatSync(join(directory, name), { throwIfNoEntry: false });
        return kept !== undefined && sameFile(kept, stat);
      }).length;
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
    if (sameFile(copyRegular(at, target, true).source, expected)) return true;
    unlinkSync(target);
  } catch {
    // Unreadable, exchanged for a link, or no room left: a failed copy leaves nothing.
  }
  return false;
}

/**
 * Copies to another file system, links as links: what a link leads to is never read. `false`, with the source as it
 * was and perhaps a part at `target`, when not all of it could be copied.
 */
export function copyAcross(from: string, target: string): boolean {
  const stat = lstatSync(from);
  try {
    if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from), target);
    else if (stat.isDirectory()) return copyTree(from, target, { denyList: false, exact: true }).skipped === 0;
    else if (stat.isFile()) copyRegular(from, target, true);
    else return false;
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined && !(error instanceof WorkspaceError)) throw error;
    return false;
  }
}

function itemsIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => ITEM.test(name))
      .sort();
  } catch {
    return [];
  }
}

function prune(directory: string, limits: TrashLimits, kind: DirKind): void {
  const names = itemsIn(directory);
  const sizes = names.map((name) => Number.parseInt(name.split('-')[2] as string, 36));
  let bytes = sizes.reduce((sum, size) => sum + size, 0);
  let items = names.length;
  for (let i = 0; i < names.length && (bytes > limits.maxBytes || items > limits.maxItems); i++) {
    discard(directory, names[i] as string, kind);
    bytes -= sizes[i] as number;
    items--;
  }
}

/** Best effort: another process may prune the same item, and a full trash must not fail the change it is kept for. */
function discard(directory: string, name: string, kind: DirKind): void {
  try {
    const dir = openDir(directory, kind);
    try {
      const at = dir.at(name);
      if (lstatSync(at).isDirectory()) removeTree(at);
      else unlinkSync(at);
    } finally {
      dir.close();
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}
