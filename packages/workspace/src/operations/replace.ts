import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { type Enclosure, placeName } from '../enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import type { Dir } from '../resolve/dir.ts';
import type { Located } from '../resolve/locate.ts';
import { withLock } from '../resolve/lock.ts';
import { O_NOFOLLOW } from '../resolve/native.ts';
import { removeTemp } from '../remove-tree.ts';
import type { Root } from '../resolve/root.ts';
import { takeFreeName } from '../resolve/settle.ts';
import { tempName } from '../temp-name.ts';
import { versionOf } from '../text/version.ts';
import type { Change } from './change.ts';
import { madeChanges } from './made-changes.ts';
import { exchangeFor, type Temp } from './exchange.ts';
import { isCurrent, lookAgain, Outdated } from './outdated.ts';
import { homesFor } from './homes.ts';
import { recorded } from './journal.ts';
import { keepOld } from './keep-old.ts';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW;
const EEXIST = 17;

/** The state of a created or replaced file. */
export interface Replaced {
  readonly status: 'created' | 'updated';
  readonly version: string;
  readonly changes: readonly Change[];
}

/** Makes the complete temporary file at a name that must not exist, and returns its stat. Throws Node's errors. */
type Fill = (home: Dir, name: string) => Stats;

/**
 * Checks a place that changed since it was located, and throws if it must not be replaced in its new state. Without
 * this check, a changed place is {@link Outdated}: the content was made from what was there before.
 */
type Accept = (now: Located) => void;

/**
 * Puts `content` at a located name so that readers see the old file or the new one and never a part: a temporary
 * file, then one rename. The mode is kept, and the owner where this process may give it; links and set-id bits are
 * not. With `durable`, file and directory are flushed to the disk before it returns. Parents that were made for a
 * file that could not be placed are removed again.
 *
 * Only the very state that was located is replaced: the directory is locked against other calls of Croft, the version
 * compared, and a file that another program put there in the last moment is put back. That last step needs RENAME_EXCHANGE
 * (koffi, and a file system that has it). A program that holds the old file open goes on writing to that one.
 *
 * @param found a place whose `stat` is a regular file or absent
 * @throws Outdated when another entry has the name now and `accept` does not take it
 * @throws WorkspaceError `io`, `quota`, `busy`, `exists` (something appeared where nothing was)
 */
export function replaceFile(enclosure: Enclosure, found: Located, content: Uint8Array, accept?: Accept): Replaced {
  const old = found.stat;
  try {
    // A rename would pass over the file's own protection: what may not be written in place is not replaced either.
    if (old) requireWritableFile(enclosure, found);
    enclosure.quota?.reserve(content.length - (old?.size ?? 0), old ? 0 : 1);
    return install(
      enclosure,
      found,
      (home, name) => writeTemp(enclosure, home, name, content, old),
      homesFor(enclosure, found),
      accept,
    );
  } catch (error) {
    found.unmake();
    if (error instanceof WorkspaceError || error instanceof Outdated) throw error;
    throw new WorkspaceError('io', `Cannot write file: ${osReason(error)}`, { cause: error });
  }
}

/**
 * Puts a new file or directory at a located free name, made by `fill`, as {@link replaceFile} does: it has its name only
 * when it is complete. Throws Node's errors too, and leaves the parents to the caller.
 */
export function placeEntry(
  enclosure: Enclosure,
  found: Located,
  fill: (at: string) => Stats,
  accept?: Accept,
): Replaced {
  return install(enclosure, found, (home, name) => fill(home.at(name)), homesFor(enclosure, found), accept);
}

function install(
  enclosure: Enclosure,
  found: Located,
  fill: Fill,
  homes: readonly Dir[],
  accept: Accept | undefined,
): Replaced {
  const [home, ...others] = homes as [Dir, ...Dir[]];
  const name = tempName();
  let made: Stats;
  try {
    made = fill(home, name);
  } catch (error) {
    removeTemp(home.at(name));
    if (others.length > 0 && errnoOf(error) !== 'ENOSPC' && errnoOf(error) !== 'EDQUOT') {
      return install(enclosure, found, fill, others, accept);
    }
    throw error;
  }
  let placed: Replaced | undefined;
  try {
    placed = placeTemp(enclosure, found, { home, name, made }, accept);
    return placed;
  } catch (error) {
    if (errnoOf(error) === 'EXDEV' && others.length > 0) return install(enclosure, found, fill, others, accept);
    throw error;
  } finally {
    if (!placed) removeTemp(home.at(name));
  }
}

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

function requireWritableFile({ root: { native } }: Enclosure, found: Located): void {
  // Of a failure, Node's call makes the error.
  if (native?.mayWrite(found.dir.fd, found.name) !== 0) accessSync(found.at, constants.W_OK);
}

function writeTemp(enclosure: Enclosure, home: Dir, name: string, content: Uint8Array, old: Stats | undefined): Stats {
  const created = enclosure.root.native?.create(home.fd, name, 0o644) ?? -1;
  const fd = created >= 0 ? created : openSync(home.at(name), CREATE, 0o644);
  try {
    for (let done = 0; done < content.length; ) done += writeSync(fd, content, done);
    let made = fstatSync(fd);
    if (old && !hasSameOwner(made, old)) {
      keepMode(fd, old);
      made = fstatSync(fd);
    }
    if (enclosure.durable) fsyncSync(fd);
    // ext4 does this by itself when a file is renamed over another one, and not when two are exchanged: without it a
    // power cut can leave an empty file.
    else if (old) enclosure.root.native?.startWriteback(fd);
    return made;
  } finally {
    closeSync(fd);
  }
}

function keepMode(fd: number, old: Stats): void {
  if (old.uid !== process.geteuid?.() || old.gid !== process.getegid?.()) {
    try {
      fchownSync(fd, old.uid, old.gid);
    } catch {
      // Only root may give files away; the writer then owns the new one.
    }
  }
  fchmodSync(fd, old.mode & 0o777);
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

function hasSameOwner(a: Stats, b: Stats): boolean {
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
