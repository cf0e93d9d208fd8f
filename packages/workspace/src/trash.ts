import { lstatSync, renameSync, type Stats, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyAcross } from './copy-tree.ts';
import { makeDirs } from './make-dirs.ts';
import { createPace, type Pace } from './pace.ts';
import { removeQuietly } from './remove-tree.ts';
import { type DirKind, sameFile } from './resolve/dir.ts';
import { tempName } from './temp-name.ts';
import { createCopies, linkFile } from './trash-copies.ts';
import { itemName, itemsIn, markOf, newGroup, readItemName, type TrashBounds } from './trash-items.ts';
import { createRemovals } from './trash-removals.ts';

/**
 * Keeps what a mutation overwrites or deletes, outside the workspace, so that a person can take it back. Bounded in
 * bytes and items: the oldest go first, what a tool itself wrote before what it found.
 */
export interface Trash {
  /** The most one act can leave here, in bytes. */
  maxBytes(): number;
  /** A name for the items of one act: they are dropped together. */
  newGroup(): string;
  /**
   * Keeps a second name for (or a copy of) the file at `at`, which is about to be replaced.
   *
   * @returns the item; `undefined` when something else is at `at` by now
   * @throws NotKept when it cannot be kept, NotYet while it is copied to another device
   */
  keep(at: string, stat: Stats, how?: KeepOptions): string | undefined;
  /**
   * Moves the file, link or directory at `at` here: this is the deletion.
   *
   * @throws NotKept; Node's errors, `EXDEV` from another device: then use `copyIn`
   */
  take(at: string, bytes: number, how?: TakeOptions): string;
  /**
   * Copies what is at `at` from another device and leaves it where it is.
   *
   * @throws NotKept, WorkspaceError `cancelled`; nothing is left
   */
  copyIn(at: string, bytes: number, how: TakeOptions & { readonly pace: Pace }): Promise<string>;
  /**
   * Marks a file that a tool made, so that the trash drops it before what a person wrote.
   *
   * @param extended the file before the tool added to it: the addition to a file of a person is not marked
   */
  markOwn(file: Stats, extended?: Stats): void;
  /** Host path of a kept item, or `undefined` when it was never kept or has been dropped. */
  find(id: string): string | undefined;
  /** Removes an item, for example if another file than intended was kept. */
  drop(id: string): void;
  /**
   * How many names in the trash lead to this file. One or more while another call is between keeping and replacing it,
   * or permanently if a process was killed at that point. Such a name does not count as a second owner of the content.
   */
  namesOf(stat: Stats): number;
  /** Resolves when no removal is under way. */
  settled(): Promise<void>;
}

export interface KeepOptions {
  /** The file that takes the place, where a tool wrote it: it marks a later copy of that file as an own version. */
  readonly successor?: Stats | undefined;
  /** An item that must not be dropped for this one. */
  readonly spare?: string | undefined;
}

export interface TakeOptions {
  /** Called with the item's name just before the move. */
  readonly before?: (item: string) => void;
  readonly group?: string | undefined;
  readonly index?: number | undefined;
}

/** The content cannot be kept. The caller decides whether the change goes on. */
export class NotKept extends Error {
  readonly reason: 'too_large' | 'not_copied';

  constructor(reason: 'too_large' | 'not_copied') {
    super(reason);
    this.reason = reason;
  }
}

/** Unset bounds have defaults: see {@link defaultTrashBytes}. */
export type TrashLimits = Partial<TrashBounds>;

const MIN_TRASH_BYTES = 256 * 1024 * 1024;
const MAX_ITEMS = 10_000;
/**
 * The bounds are checked on disk again after so many new items at least, and after a share of either bound. A check reads
 * the whole directory. Other processes may share it, so it is never only counted.
 */
const CHECK_EVERY = 64;
const CHECK_SHARE = { items: 8, bytes: 16 };
/** Marks of files that tools wrote, which a process remembers. */
const MAX_OWN = 20_000;

/** A quarter of the quota, else a tenth of the free disk space, at least 256 MiB. */
export function defaultTrashBytes(quotaBytes: number | undefined, directory: string): number {
  return Math.max(MIN_TRASH_BYTES, Math.floor(quotaBytes === undefined ? freeBytes(directory) / 10 : quotaBytes / 4));
}

/** Of the nearest directory that exists. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return dirname(directory) === directory ? 0 : freeBytes(dirname(directory));
  }
}

/**
 * Opens a trash directory (made on first need, 0700). It must lie outside every workspace.
 *
 * @param quotaBytes of the workspace, for the default bound
 */
export function openTrash(
  directory: string,
  limits: TrashLimits = {},
  kind: DirKind = 'path',
  quotaBytes?: number,
): Trash {
  let made = false;
  let known: number | undefined;
  const maxBytes = () => (known ??= limits.maxBytes ?? defaultTrashBytes(quotaBytes, directory));
  const maxItems = limits.maxItems ?? MAX_ITEMS;
  const checkEvery = Math.max(CHECK_EVERY, maxItems / CHECK_SHARE.items);
  let sinceCheck = checkEvery;
  let bytesSinceCheck = 0;
  const removals = createRemovals(directory, kind);
  // A chain of own versions loses its links when one in the middle is dropped, so the marks are remembered.
  const own = new Set<string>();
  const rememberOwn = (mark: string | undefined) => {
    if (mark === undefined) return;
    if (own.size >= MAX_OWN) own.delete(own.values().next().value as string);
    own.add(mark);
  };
  const isOwn = (stat: Stats) => stat.isFile() && own.has(markOf(stat));
  const copies = createCopies(() => join(directory, tempName()));
  const make = () => {
    if (made) return;
    makeDirs(directory);
    made = true;
    for (const { successor } of itemsIn(directory)) rememberOwn(successor);
    removals.sweep();
  };
  const added = (bytes: number, spared: string | undefined) => {
    bytesSinceCheck += bytes;
    if (++sinceCheck < checkEvery && bytesSinceCheck < maxBytes() / CHECK_SHARE.bytes) return;
    sinceCheck = 0;
    bytesSinceCheck = 0;
    removals.prune({ maxBytes: maxBytes(), maxItems }, spared);
  };
  const requireRoom = (bytes: number) => {
    if (bytes > maxBytes()) throw new NotKept('too_large');
  };
  return {
    maxBytes,
    newGroup,
    keep(at, stat, { successor, spare } = {}) {
      requireRoom(stat.size);
      make();
      const mark = successor && markOf(successor);
      const name = itemName(newGroup(), { bytes: stat.size, index: 0, successor: mark, isOwn: isOwn(stat) });
      rememberOwn(mark);
      const target = join(directory, name);
      const kept = linkFile(at, target, stat) ?? copies.place(at, stat, target);
      if (kept === undefined) throw new NotKept('not_copied');
      if (!kept) return undefined;
      added(stat.size, spare === undefined ? undefined : readItemName(spare)?.group);
      return name;
    },
    take(at, bytes, { group = newGroup(), index = 0, before } = {}) {
      requireRoom(bytes);
      make();
      const name = itemName(group, { bytes, index });
      before?.(name);
      renameSync(at, join(directory, name));
      added(bytes, group);
      return name;
    },
    async copyIn(at, bytes, { group = newGroup(), index = 0, pace }) {
      requireRoom(bytes);
      make();
      const name = itemName(group, { bytes, index });
      const temp = join(directory, tempName());
      try {
        if (!(await copyAcross(at, temp, pace))) throw new NotKept('not_copied');
        renameSync(temp, join(directory, name));
      } catch (error) {
        await removeQuietly(temp, createPace());
        throw error;
      }
      added(bytes, group);
      return name;
    },
    markOwn(file, extended) {
      if (extended === undefined || isOwn(extended)) rememberOwn(markOf(file));
    },
    find(id) {
      if (!readItemName(id)) return undefined;
      const path = join(directory, id);
      return lstatSync(path, { throwIfNoEntry: false }) ? path : undefined;
    },
    drop(id) {
      if (readItemName(id)) removals.remove([id]);
    },
    namesOf(stat) {
      return itemsIn(directory).filter(({ name }) => {
        const kept = lstatSync(join(directory, name), { throwIfNoEntry: false });
        return kept !== undefined && sameFile(kept, stat);
      }).length;
    },
    settled: removals.settled,
  };
}
