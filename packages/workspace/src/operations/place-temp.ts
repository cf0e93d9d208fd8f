import { closeSync, constants, fsyncSync, linkSync, lstatSync, openSync, renameSync, type Stats } from 'node:fs';
import { type Enclosure, placeName } from '../enclosure.ts';
import { errnoOf, WorkspaceError } from '../errors.ts';
import type { Dir } from '../resolve/dir.ts';
import type { Located } from '../resolve/locate.ts';
import { withLock } from '../resolve/lock.ts';
import { removeTemp } from '../remove-tree.ts';
import type { Root } from '../resolve/root.ts';
import { takeFreeName } from '../resolve/settle.ts';
import { versionOf } from '../text/version.ts';
import type { Change } from './change.ts';
import { madeChanges } from './made-changes.ts';
import { exchangeFor, type Temp } from './exchange.ts';
import { isCurrent, lookAgain, Outdated } from './outdated.ts';
import { recorded } from './journal.ts';
import { keepOld } from './keep-old.ts';

const EEXIST = 17;

/** The state of a created or replaced file. */
export interface Replaced {
  readonly status: 'created' | 'updated';
  readonly version: string;
  readonly changes: readonly Change[];
}

/**
 * Checks a place that changed since it was located, and throws if it must not be replaced in its new state. Without
 * this check, a changed place is {@link Outdated}: the content was made from what was there before.
 */
export type Accept = (now: Located) => void;

/**
 * Gives a complete temporary file or directory its name, as {@link replaceFile} does. Throws Node's errors too; the
 * temporary name is then the caller's to remove.
 */
export function placeTemp(
  enclosure: Enclosure,
  found: Located,
  temp: Temp & { readonly home: Dir },
  accept?: Accept,
): Replaced {
  const changes = withLock(enclosure.root, [found], () => {
    temp.home.verify();
    return place(enclosure, current(enclosure.root, found, accept), temp);
  });
  if (enclosure.durable) flush(found.dir);
  const isUpdate = changes.at(-1)?.kind === 'update';
  return { status: isUpdate ? 'updated' : 'created', version: versionOf(temp.made), changes };
}

/** The place as it is under the lock, if the content may go there as it was made. A free name is only tried. */
function current(root: Root, found: Located, accept: Accept | undefined): Located {
  const before = found.stat;
  if (!before || isCurrent(root, found)) return found;
  const stat = lookAgain(found);
  // The temporary file has the mode and owner of what was located.
  if (!accept || !stat?.isFile() || !hasSameOwner(stat, before)) throw new Outdated();
  const now = { ...found, stat };
  accept(now);
  return now;
}

/** Whether mode, user and group are the same. */
export function hasSameOwner(a: Stats, b: Stats): boolean {
  return a.mode === b.mode && a.uid === b.uid && a.gid === b.gid;
}

/** The rename, with the old content kept first. */
function place(enclosure: Enclosure, found: Located, temp: Temp): Change[] {
  const { home, name, made, tree } = temp;
  const path = placeName(enclosure, found.path, found.parts);
  const changes = madeChanges(enclosure, found);
  if (found.stat) {
    const { stat } = found;
    const successor = enclosure.author === 'person' ? undefined : made;
    const trash = keepOld(enclosure, found.path.written, stat.size, (kept) => kept.keep(found.at, stat, { successor }));
    const versions = { before: versionOf(stat), after: versionOf(made) };
    const change: Change = {
      kind: 'update',
      path,
      ...versions,
      bytes: made.size,
      ...(trash !== undefined && { trash }),
    };
    let isSure: boolean;
    try {
      isSure = recorded(enclosure, [...changes, change], () => {
        if (exchangeFor(enclosure.root.native, found, temp)) return true;
        renameSync(home.at(name), found.at);
        return false;
      });
    } catch (error) {
      // The kept name is a hard link to the file that is still in place.
      if (trash !== undefined) enclosure.trash?.drop(trash);
      throw error;
    }
    changes.push(trash !== undefined && !isSure && stillInPlace(enclosure, trash) ? withoutTrash(change) : change);
  } else {
    const file = made.isFile() && { after: versionOf(made), bytes: made.size };
    changes.push({ kind: 'create', path, ...file, ...(tree !== undefined && { tree }) });
    recorded(enclosure, changes, () => placeNew(enclosure, found, temp));
  }
  found.dir.verify();
  return changes;
}

function withoutTrash(change: Change): Change {
  const { trash: _, ...rest } = change;
  return rest;
}

/**
 * Whether the kept file is not the replaced one, because another process moved it aside in between. The kept file then
 * still has its own name, so it is dropped from the trash: otherwise it would have two names, and writes to a file with
 * two names are refused.
 */
function stillInPlace(enclosure: Enclosure, trash: string): boolean {
  const kept = enclosure.trash?.find(trash);
  if (kept === undefined || (lstatSync(kept, { throwIfNoEntry: false })?.nlink ?? 1) < 2) return false;
  enclosure.trash?.drop(trash);
  return true;
}

/** Takes the name only if it is still free, so that a new file of another process is not lost. */
function placeNew(enclosure: Enclosure, found: Located, temp: Temp): void {
  takeFreeName(found.at, () => tryPlace(enclosure, found, temp), appeared(found));
}

/** Returns false if the name is taken. */
function tryPlace(enclosure: Enclosure, found: Located, { home, name }: Temp): boolean {
  const native = enclosure.root.native;
  if (native) {
    const failed = native.renameNoReplace(home.fd, name, found.dir.fd, found.name);
    if (failed === 0) return true;
    if (failed === -EEXIST) return false;
  }
  try {
    linkSync(home.at(name), found.at);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST') return false;
    // Directories have no hard links, and some file systems have none at all.
    if (errno !== 'EPERM' && errno !== 'ENOTSUP' && errno !== 'EOPNOTSUPP' && errno !== 'ENOSYS' && errno !== 'EMLINK')
      throw error;
    renameSync(home.at(name), found.at);
    return true;
  }
  removeTemp(home.at(name));
  return true;
}

function appeared(found: Located): WorkspaceError {
  return new WorkspaceError('exists', `Something was created at ${found.path.written} meanwhile; read it first`);
}

/** Flushes a directory's entries. A directory cannot be flushed through an O_PATH handle. */
export function flush(dir: Dir): void {
  const fd = openSync(`${dir.self}/.`, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
