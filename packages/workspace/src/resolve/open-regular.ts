import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { type CheckedPath, checkPath, checkResolved, type Enclosure, escapes } from '../enclosure.ts';
import { errnoOf, toWorkspaceError, WorkspaceError } from '../errors.ts';
import { sameFile } from './dir.ts';
import { type Located, locateThen, mayMeetBase, withinMount } from './locate.ts';
import { O_NOFOLLOW, O_PATH, RESOLVE_BENEATH, RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS } from './native.ts';
import { Unsettled } from './settle.ts';

/** A regular file held open for reading. The holder closes `fd`. */
export interface OpenFile {
  readonly fd: number;
  readonly stat: Stats;
  /** Its real place, as components below the root from which it was resolved. */
  readonly parts: readonly string[];
}

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a regular file for reading. First takes the object as an O_PATH handle, checks it, and only then opens it
 * through that handle: a FIFO, socket or device is refused without being opened.
 *
 * @throws WorkspaceError `not_found`, `is_directory`, `not_regular`, and those of `locate`
 */
export function openRegular(enclosure: Enclosure, path: string): OpenFile {
  const checked = checkPath(enclosure, path);
  return openFast(enclosure, checked) ?? locateThen(enclosure, path, {}, openLocated);
}

/** One openat2 for the whole path, when no component is a link. */
function openFast(enclosure: Enclosure, path: CheckedPath): OpenFile | undefined {
  const { root, parts } = path;
  if (!root.native || parts.length === 0 || parts.includes('..') || mayMeetBase(enclosure)) return undefined;
  const resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
  const handle = root.native.openat2(root.dir.fd, parts.join('/'), O_PATH, resolve | withinMount(enclosure));
  if (handle < 0) return undefined;
  try {
    checkResolved(enclosure, path, parts);
    return reopen(handle, path.written, parts);
  } catch (error) {
    throw toWorkspaceError(error, path.written, 'read file');
  } finally {
    closeSync(handle);
  }
}

function openLocated(found: Located): OpenFile {
  const written = found.path.written;
  if (!found.stat) throw new WorkspaceError('not_found', `File not found: ${written}`);
  requireRegular(found.stat, written);
  const opened = found.dir.fd >= 0 ? openByHandle(found) : openByPath(found);
  found.close();
  return opened;
}

function openByHandle(found: Located): OpenFile {
  const handle = openSync(found.at, O_PATH | O_NOFOLLOW);
  try {
    if (fstatSync(handle).isSymbolicLink()) throw new Unsettled(escapes(found.path.written, 'link_outside'));
    return reopen(handle, found.path.written, found.parts);
  } finally {
    closeSync(handle);
  }
}

function reopen(handle: number, written: string, parts: readonly string[]): OpenFile {
  const stat = fstatSync(handle);
  requireRegular(stat, written);
  return { fd: openSync(`/proc/self/fd/${handle}`, READ), stat, parts };
}

/** Without directory descriptors: opens the file, then checks that it is the one that was located. Not race-free. */
function openByPath(found: Located): OpenFile {
  let fd: number;
  try {
    fd = openSync(found.at, READ | O_NOFOLLOW);
  } catch (error) {
    if (errnoOf(error) === 'ELOOP') throw new Unsettled(escapes(found.path.written, 'link_outside'));
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    if (!found.stat || !sameFile(stat, found.stat)) throw new Unsettled(escapes(found.path.written, 'link_outside'));
    found.dir.verify();
    return { fd, stat, parts: found.parts };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function requireRegular(stat: Stats, written: string): void {
  if (stat.isFile()) return;
  if (stat.isDirectory()) throw new WorkspaceError('is_directory', `Path is a directory, not a file: ${written}`);
  throw new WorkspaceError('not_regular', `Not a regular file: ${written}`);
}
