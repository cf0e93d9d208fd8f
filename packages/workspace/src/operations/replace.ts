import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  type Stats,
  writeSync,
} from 'node:fs';
import type { Enclosure } from '../enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import type { Dir } from '../resolve/dir.ts';
import type { Located } from '../resolve/locate.ts';
import { O_NOFOLLOW } from '../resolve/native.ts';
import { removeTemp } from '../remove-tree.ts';
import { tempName } from '../temp-name.ts';
import { Outdated } from './outdated.ts';
import { homesFor } from './homes.ts';
import { type Replaced, type Accept, placeTemp, hasSameOwner } from './place-temp.ts';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW;

/** Makes the complete temporary file at a name that must not exist, and returns its stat. Throws Node's errors. */
type Fill = (home: Dir, name: string) => Stats;

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
  let end: (() => void) | undefined;
  try {
    // A rename would pass over the file's own protection: what may not be written in place is not replaced either.
    if (old) requireWritableFile(enclosure, found);
    end = enclosure.quota?.reserve(content.length - (old?.size ?? 0), old ? 0 : 1);
    let made: Stats | undefined;
    const placed = install(
      enclosure,
      found,
      (home, name) => (made = writeTemp(enclosure, home, name, content, old)),
      homesFor(enclosure, found),
      accept,
    );
    // A replacement is marked with the old content that the trash keeps.
    if (made && placed.status === 'created') enclosure.trash?.markOwn(made);
    return placed;
  } catch (error) {
    found.unmake();
    if (error instanceof WorkspaceError || error instanceof Outdated) throw error;
    throw new WorkspaceError('io', `Cannot write file: ${osReason(error)}`, { cause: error });
  } finally {
    end?.();
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
