import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { copyNow, copyOpened } from './copy-file.ts';
import { errnoOf, NotYet } from './errors.ts';
import { createPace } from './pace.ts';
import { removeQuietly, removeTemp } from './remove-tree.ts';
import { sameFile } from './resolve/dir.ts';
import { O_NOFOLLOW } from './resolve/native.ts';
import { versionOf } from './text/version.ts';

const READ = constants.O_RDONLY | O_NOFOLLOW | (constants.O_NONBLOCK ?? 0);

/** A caller that waits takes its copy at once. One that was cancelled, or whose file has changed, never does. */
const UNUSED_MS = 60_000;

/** Copies of files that the trash, on another device, will keep in a moment. */
export interface TrashCopies {
  /**
   * Puts a copy of the file at `at` at `target`.
   *
   * @returns `false` when something else is at `at`
   * @throws NotYet until the copy is complete; `undefined` in place of a result when it failed
   */
  place(at: string, expected: Stats, target: string): boolean | undefined;
}

interface Copy {
  readonly at: string;
  state: 'running' | 'ready' | 'failed';
  readonly ready: Promise<void>;
}

/** @param newTemp host path for a copy that has no item name yet */
export function createCopies(newTemp: () => string): TrashCopies {
  const copies = new Map<string, Copy>();
  const forget = (key: string, copy: Copy) => {
    if (copies.get(key) !== copy) return;
    copies.delete(key);
    void removeQuietly(copy.at, createPace());
  };
  const start = (key: string, at: string, expected: Stats): Copy | undefined => {
    const fd = openExpected(at, expected);
    if (fd === undefined) return undefined;
    const temp = newTemp();
    const copying = copyOpened(fd, temp, createPace(), true);
    const copy: Copy = {
      at: temp,
      state: 'running',
      ready: copying
        .then(
          () => void (copy.state = 'ready'),
          () => void (copy.state = 'failed'),
        )
        .finally(() => {
          closeSync(fd);
          setTimeout(() => forget(key, copy), UNUSED_MS).unref();
        }),
    };
    copies.set(key, copy);
    return copy;
  };
  return {
    place(at, expected, target) {
      const key = `${expected.dev}-${versionOf(expected)}`;
      const now = copies.has(key) ? undefined : copySmall(at, expected, target);
      if (now !== undefined) return now;
      const copy = copies.get(key) ?? start(key, at, expected);
      if (!copy) return false;
      if (copy.state === 'running')
        throw new NotYet('The old content is being copied to the trash; try again in a moment', copy.ready);
      copies.delete(key);
      if (copy.state === 'failed') return undefined;
      const left = lstatSync(at, { throwIfNoEntry: false });
      if (!left || !sameFile(left, expected) || versionOf(left) !== versionOf(expected)) {
        removeTemp(copy.at);
        return false;
      }
      renameSync(copy.at, target);
      return true;
    },
  };
}

/** `undefined` when the file is too large to be copied at once. */
function copySmall(at: string, expected: Stats, target: string): boolean | undefined {
  const fd = openExpected(at, expected);
  if (fd === undefined) return false;
  try {
    return copyNow(fd, target) || undefined;
  } finally {
    closeSync(fd);
  }
}

function openExpected(at: string, expected: Stats): number | undefined {
  let fd: number;
  try {
    fd = openSync(at, READ);
  } catch {
    return undefined;
  }
  if (sameFile(fstatSync(fd), expected)) return fd;
  closeSync(fd);
  return undefined;
}

/**
 * A hard link costs nothing and holds the old bytes, because a write never happens in place.
 *
 * @returns `undefined` where no link can be made; `false` when something else is at `at`
 */
export function linkFile(at: string, target: string, expected: Stats): boolean | undefined {
  try {
    linkSync(at, target);
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? false : undefined;
  }
  if (sameFile(lstatSync(target), expected)) return true;
  unlinkSync(target);
  return false;
}
