import { closeSync, openSync } from 'node:fs';
import { WorkspaceError } from '../errors.ts';
import { type Dir, identityOf, sameFile } from './dir.ts';
import type { Located } from './located.ts';
import { takeLockFile } from './lock-file.ts';
import { LIST, type Native } from './native.ts';
import type { Root } from './root.ts';

/** How long a call waits for a lock. Calls hold one for microseconds; a stopped process can hold one for good. */
const WAIT_MS = 2_000;
const NAP_MS = 0.2;
const EINTR = 4;
const EBADF = 9;
const EAGAIN = 11;
const nap = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs `act` while this call alone may change names in the directories of these places, among all processes and threads
 * of Croft. Linux with koffi: flock(2), which belongs to the open file description. Elsewhere: a lock file. Directories are locked in the order of their (device, inode), so that two calls
 * cannot wait for each other. A place that is locked already is not locked again.
 *
 * Does not hold off other programs, and where neither kind of lock can be taken (a directory that may not be written) it
 * holds off nothing: callers compare what they find. NFS passes flock on only to clients that mount with locking.
 *
 * @param act synchronous: the lock ends when it returns
 * @throws WorkspaceError `busy` after 2 s, with nothing done; what opening the directory throws
 */
export function withLock<T>(root: Root, places: readonly Located[], act: () => T): T {
  const held: (() => void)[] = [];
  const giveUpAt = performance.now() + WAIT_MS;
  try {
    for (const dir of inOrder(places)) held.push(acquire(root, dir, giveUpAt));
    return act();
  } finally {
    for (const release of held.reverse()) release();
  }
}

function inOrder(places: readonly Located[]): readonly Dir[] {
  const dirs = places.filter((place) => !place.isLocked).map((place) => place.dir);
  if (dirs.length < 2) return dirs;
  const known = dirs.map((dir) => ({ dir, ...identityOf(dir) }));
  known.sort((a, b) => a.dev - b.dev || a.ino - b.ino);
  return known.filter((one, i) => i === 0 || !sameFile(one, known[i - 1] as typeof one)).map(({ dir }) => dir);
}

/** Takes the lock of one directory and returns what releases it. */
function acquire(root: Root, dir: Dir, giveUpAt: number): () => void {
  return (root.native && flock(root, root.native, dir, giveUpAt)) ?? waitFor(() => takeLockFile(dir), giveUpAt);
}

/**
 * A lock on a description that belongs to this call, or to the root of a workspace, which one thread uses and which
 * changes one thing at a time. `undefined` where this directory or its file system has no such lock.
 */
function flock(root: Root, native: Native, dir: Dir, giveUpAt: number): (() => void) | undefined {
  const fd = dir === root.dir ? root.lockFd() : dir.fd;
  const result = tryUntil(native, fd, giveUpAt);
  if (result === 0) return () => native.unlock(fd);
  // An O_PATH handle, as the walk holds them.
  return result === -EBADF ? flockAnew(native, dir, giveUpAt) : undefined;
}

function flockAnew(native: Native, dir: Dir, giveUpAt: number): (() => void) | undefined {
  let fd: number;
  try {
    fd = openSync(`${dir.self}/.`, LIST);
  } catch {
    // A directory that may be written and not read.
    return undefined;
  }
  let isHeld = false;
  try {
    isHeld = tryUntil(native, fd, giveUpAt) === 0;
  } finally {
    if (!isHeld) closeSync(fd);
  }
  return isHeld ? () => closeSync(fd) : undefined;
}

/** @returns 0, or the negative errno of a descriptor that cannot be locked at all */
function tryUntil(native: Native, fd: number, giveUpAt: number): number {
  return waitFor(() => {
    const result = native.tryLock(fd);
    return result === -EAGAIN || result === -EINTR ? undefined : result;
  }, giveUpAt);
}

/** @throws WorkspaceError `busy` */
function waitFor<T>(take: () => T | undefined, giveUpAt: number): T {
  for (;;) {
    const taken = take();
    if (taken !== undefined) return taken;
    if (performance.now() >= giveUpAt) throw busy();
    Atomics.wait(nap, 0, 0, NAP_MS);
  }
}

/** The failure of a call that did not get its turn. */
export function busy(): WorkspaceError {
  return new WorkspaceError(
    'busy',
    'Other calls are changing the same place, and this one did not get its turn. Nothing was changed; try again.',
  );
}
