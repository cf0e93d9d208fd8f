import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { errnoOf } from '../errors.ts';
import { isAbandoned, LOCK_NAME, tempName } from '../temp-name.ts';
import type { Dir } from './dir.ts';
import { O_NOFOLLOW } from './native.ts';

const READ = constants.O_RDONLY | O_NOFOLLOW | (constants.O_NONBLOCK ?? 0);
/** A lock file without an owner in it is younger than this while its maker is writing. */
const UNSIGNED_MS = 10_000;

/**
 * Tries once to take the lock file of a directory. It names its process; that of a process that is gone is taken over.
 * Two calls that take over one file in the same instant can both succeed.
 *
 * @returns what releases the lock; `undefined` when another call has it. Where no file can be made, because the
 *   directory may not be written, nothing is locked.
 */
export function takeLockFile(dir: Dir): (() => void) | undefined {
  const at = dir.at(LOCK_NAME);
  let fd: number;
  try {
    fd = openSync(at, 'wx', 0o600);
  } catch (error) {
    switch (errnoOf(error)) {
      case 'EEXIST':
        if (isLeftBehind(at)) clear(dir, at);
        return undefined;
      case 'EACCES':
      case 'EPERM':
      case 'EROFS':
        return () => undefined;
      default:
        throw error;
    }
  }
  try {
    writeSync(fd, tempName());
  } finally {
    closeSync(fd);
  }
  return () => quietly(() => unlinkSync(at));
}

function isLeftBehind(at: string): boolean {
  try {
    // A link or a directory of this name is not Croft's. It must not hold every call off for good.
    if (!lstatSync(at).isFile()) return true;
    const fd = openSync(at, READ);
    try {
      const owner = readFileSync(fd, 'utf8');
      return owner === '' ? Date.now() - fstatSync(fd).mtimeMs > UNSIGNED_MS : isAbandoned(owner, at);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Released meanwhile.
    return false;
  }
}

/** Moves the file aside first: a lock file that another call made in between is put back. */
function clear(dir: Dir, at: string): void {
  const aside = dir.at(tempName());
  quietly(() => {
    renameSync(at, aside);
    if (!isLeftBehind(aside)) quietly(() => linkSync(aside, at));
    unlinkSync(aside);
  });
}

/** Another call was faster. */
function quietly(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}
