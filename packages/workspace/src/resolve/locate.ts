import { lstatSync, type Stats } from 'node:fs';
import { type CheckedPath, checkPath, checkResolved, type Enclosure, escapes, placeName } from '../enclosure.ts';
import { toWorkspaceError } from '../errors.ts';
import { type Dir, descriptorDir, statDir } from './dir.ts';
import { closeAll, type Located, located, type LocateOptions, NothingThere } from './located.ts';
import {
  O_DIRECTORY,
  O_PATH,
  RESOLVE_BENEATH,
  RESOLVE_NO_MAGICLINKS,
  RESOLVE_NO_SYMLINKS,
  RESOLVE_NO_XDEV,
} from './native.ts';
import { requireNoMountPoint, requireOwnMount } from './own-mount.ts';
import { settle } from './settle.ts';
import { walk, type WalkRules } from './walk.ts';

export { type Located, type LocateOptions, NothingThere } from './located.ts';

const ENOENT = 2;
const EACCES = 13;
const FAST = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;

/**
 * Resolves a path; every operation uses it. Guarantees that `dir` was reached from the workspace's descriptor through
 * directories and links that stay inside, and holds it open, so that later changes of the tree do not redirect an
 * operation on `at`. Does not guarantee that the name still is what `stat` says.
 *
 * @throws WorkspaceError `outside`, `link_outside`, `denied`, `invalid`, `not_found`, `not_directory`, `mounted`, `io`
 */
export function locate(enclosure: Enclosure, path: string, options: LocateOptions = {}): Located {
  return resolveThen(enclosure, path, options, same, refuse);
}

/** {@link locate} for a caller to whom a missing parent directory is an ordinary answer. */
export function locateOrNothing(
  enclosure: Enclosure,
  path: string,
  options: LocateOptions = {},
): Located | NothingThere {
  return resolveThen<Located | NothingThere>(enclosure, path, options, same, same);
}

/**
 * {@link locate}, then `act` on the place, with the same retries. `act` may throw {@link Unsettled} if it meets a new
 * link; then the path is resolved again. The place stays open; if `act` throws, it is closed.
 */
export function locateThen<T>(
  enclosure: Enclosure,
  path: string,
  options: LocateOptions,
  act: (found: Located) => T,
): T {
  return resolveThen(enclosure, path, options, act, refuse);
}

// One function each, not one for each call: every operation on files passes here.
const same = <T>(found: T): T => found;
const refuse = (nothing: NothingThere): never => {
  throw nothing.refusal();
};

function resolveThen<T>(
  enclosure: Enclosure,
  path: string,
  options: LocateOptions,
  act: (found: Located) => T,
  without: (nothing: NothingThere) => T,
): T {
  const checked = checkPath(enclosure, path);
  try {
    return settle(() => {
      const found = locateOnce(enclosure, checked, options);
      if (found instanceof NothingThere) return without(found);
      try {
        return act(found);
      } catch (error) {
        found.close();
        throw error;
      }
    });
  } catch (error) {
    throw toWorkspaceError(error, path, 'use path');
  }
}

function locateOnce(enclosure: Enclosure, path: CheckedPath, options: LocateOptions): Located | NothingThere {
  const judge = (parts: readonly string[]) => checkResolved(enclosure, path, parts);
  const isChange = options.forChange || options.makeParents;
  const requireMount = (dir: Dir, parts: readonly string[]) => requireOwnMount(enclosure, { path, dir, parts });
  const quick = fast(enclosure, path, options);
  const found = quick ?? walkRecorded(enclosure, path, options, { judge, requireMount, base: enclosure.base });
  if (found instanceof NothingThere) {
    // Also where nothing is: an innocent link may have led to a protected or masked directory.
    judge(found.parts);
    return found;
  }
  try {
    judge(found.parts);
    if (found.stat?.isDirectory() && enclosure.base?.is(found.stat)) throw escapes(path.written);
    if (isChange) {
      // The fast way crossed no mount, or it would have failed.
      if (!quick) requireMount(found.dir, found.parts);
      requireNoMountPoint(enclosure, found);
    }
    return found;
  } catch (error) {
    found.close();
    found.unmake();
    throw error;
  }
}

/** The walk, with each directory on record before it is made. */
function walkRecorded(
  enclosure: Enclosure,
  path: CheckedPath,
  options: LocateOptions,
  rules: Omit<WalkRules, 'beforeMake'>,
): Located | NothingThere {
  const { journal } = enclosure;
  if (!journal) return walk(path, options, rules);
  const beforeMake = (dirs: readonly (readonly string[])[]) =>
    journal.intend(dirs.map((parts) => ({ kind: 'mkdir', path: placeName(enclosure, path, parts) })));
  try {
    const found = walk(path, options, { ...rules, beforeMake });
    if (found instanceof NothingThere) {
      journal.withdraw();
      return found;
    }
    const unmake = () => {
      found.unmake();
      journal.withdraw();
    };
    return found.made.length > 0 ? { ...found, unmake } : found;
  } catch (error) {
    // The walk has removed its directories again.
    journal.withdraw();
    throw error;
  }
}

/**
 * Whether Croft's base directory can lie on a way through the workspace's own mount: then every directory on the way is
 * looked at, which only the walk does.
 */
export function mayMeetBase(enclosure: Enclosure): boolean {
  return enclosure.base !== undefined && (enclosure.base.isInside || enclosure.ambient !== undefined);
}

/** A base directory elsewhere can only be met through another mount, which is left to the walk as well. */
export function withinMount(enclosure: Enclosure): number {
  return enclosure.base === undefined ? 0 : RESOLVE_NO_XDEV;
}

/**
 * Resolves the common path in two system calls: no link, no `..`, parents present. openat2 with RESOLVE_NO_SYMLINKS
 * proves that the written path is the real one, so the name rules need no check of the real path. That also holds for
 * ENOENT: no component before the missing one is a link.
 */
function fast(enclosure: Enclosure, path: CheckedPath, options: LocateOptions): Located | NothingThere | undefined {
  const { root, parts } = path;
  const isChange = options.forChange || options.makeParents;
  if (!root.native || parts.includes('..') || mayMeetBase(enclosure)) return undefined;
  // The workspace may lie on another mount than the file system's root.
  if (isChange && root === enclosure.ambient) return undefined;
  const name = parts.at(-1);
  if (name === undefined) return located(path, root.dir, '.', parts, statDir(root.dir), []);
  let dir = root.dir;
  const owned: Dir[] = [];
  if (parts.length > 1) {
    const { native } = root;
    const open = (flags: number) =>
      native.openat2(
        root.dir.fd,
        parts.slice(0, -1).join('/'),
        flags | O_DIRECTORY,
        FAST | (isChange ? RESOLVE_NO_XDEV : withinMount(enclosure)),
      );
    let fd = open(isChange ? 0 : O_PATH);
    if (fd === -EACCES) fd = open(O_PATH);
    if (fd === -ENOENT && !options.makeParents) return new NothingThere(path, parts);
    if (fd < 0) return undefined;
    dir = descriptorDir(fd);
    owned.push(dir);
  }
  let stat: Stats | undefined;
  try {
    stat = lstatSync(dir.at(name), { throwIfNoEntry: false });
  } catch (error) {
    closeAll(owned);
    throw error;
  }
  if (stat?.isSymbolicLink() && options.leaf !== 'keep') {
    closeAll(owned);
    return undefined;
  }
  return located(path, dir, name, parts, stat, owned);
}
