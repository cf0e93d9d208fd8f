import { lstatSync, mkdirSync, readlinkSync, type Stats } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type CheckedPath, checkPath, checkResolved, type Enclosure, escapes } from '../enclosure.ts';
import { errnoOf, osReason, toWorkspaceError, WorkspaceError } from '../errors.ts';
import { type Dir, descriptorDir, openDir, statDir } from './dir.ts';
import { O_DIRECTORY, O_PATH, RESOLVE_BENEATH, RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS } from './native.ts';
import { relativeParts } from './root.ts';
import { settle, Unsettled } from './settle.ts';

/** A place inside the workspace: a directory held open, and one name in it. Close it when done. */
export interface Located {
  readonly path: CheckedPath;
  /** The directory that holds the name. For the workspace itself: the root, with the name `.`. */
  readonly dir: Dir;
  readonly name: string;
  /** Where the path really leads, as components below the root. */
  readonly parts: readonly string[];
  /** What stood at the name when it was looked at; `undefined` when nothing did. Never a link under `follow`. */
  readonly stat: Stats | undefined;
  /** A path for `fs` calls on the name. Use O_NOFOLLOW: the name may have become a link since. */
  readonly at: string;
  /** Parent directories made on the way, outermost first, as components below the root. */
  readonly made: readonly (readonly string[])[];
  close(): void;
}

/** How the last component and missing directories are treated. */
export interface LocateOptions {
  /** `follow` a link in the last place, if it stays inside; `keep` acts on the link itself. */
  readonly leaf?: 'follow' | 'keep';
  /** Make missing parent directories. */
  readonly makeParents?: boolean;
}

const FAST = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
const MAX_LINKS = 40;

/**
 * The one door every operation goes through. Guarantees that `dir` was reached from the workspace's descriptor
 * through directories and links that stay inside, and keeps hold of it, so that nothing done to the tree afterwards
 * redirects an act on `at`. It does not guarantee that the name is still what `stat` says.
 *
 * @throws WorkspaceError `outside`, `link_outside`, `denied`, `invalid`, `not_found`, `not_directory`, `io`
 */
export function locate(enclosure: Enclosure, path: string, options: LocateOptions = {}): Located {
  return locateThen(enclosure, path, options, (found) => found);
}

/**
 * {@link locate}, then `act` on the place under the same settling: `act` may throw {@link Unsettled} when it meets a
 * link where none stood a moment ago, and the path is resolved again. The place stays open; on a throw it is closed.
 */
export function locateThen<T>(enclosure: Enclosure, path: string, options: LocateOptions, act: (found: Located) => T): T {
  const checked = checkPath(enclosure, path);
  try {
    return settle(() => {
      const found = locateOnce(enclosure, checked, options);
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

function locateOnce(enclosure: Enclosure, path: CheckedPath, options: LocateOptions): Located {
  const found = fast(path, options) ?? walk(path, options);
  try {
    checkResolved(enclosure, path, found.parts);
    return found;
  } catch (error) {
    found.close();
    throw error;
  }
}

/**
 * Two system calls for the ordinary path: no link, no `..`, parents present. openat2 with RESOLVE_NO_SYMLINKS proves
 * that the written path is the real one, so the name rules need no second look at where it leads.
 */
function fast(path: CheckedPath, options: LocateOptions): Located | undefined {
  const { root, parts } = path;
  if (!root.native || parts.includes('..')) return undefined;
  const name = parts.at(-1);
  if (name === undefined) return located(path, root.dir, '.', parts, statDir(root.dir), []);
  let dir = root.dir;
  const owned: Dir[] = [];
  if (parts.length > 1) {
    const fd = root.native.openat2(root.dir.fd, parts.slice(0, -1).join('/'), O_PATH | O_DIRECTORY, FAST);
    if (fd < 0) return undefined;
    dir = descriptorDir(fd);
    owned.push(dir);
  }
  const stat = lstatSync(dir.at(name), { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() && options.leaf !== 'keep') {
    closeAll(owned);
    return undefined;
  }
  return located(path, dir, name, parts, stat, owned);
}

/**
 * The complete resolution, one component at a time, as the kernel would do it: a stack of held directories, links
 * read and expanded by us, `..` popping the stack. A link to an absolute path is followed when it names a place in
 * the workspace. Nothing is ever opened through a link, so magic links and races lead nowhere.
 */
function walk(path: CheckedPath, options: LocateOptions): Located {
  const { root } = path;
  const held: Dir[] = [];
  const names: string[] = [];
  const todo = [...path.parts].reverse();
  const made: string[][] = [];
  let missing = 0;
  let links = 0;
  let lastLink: Stats | undefined;
  const here = (): Dir => held.at(-1) ?? root.dir;
  try {
    for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
      if (part === '..') {
        if (names.length === 0) {
          throw lastLink ? Unsettled.ifChanging(lastLink, escapes(path.written, 'link_outside')) : escapes(path.written);
        }
        names.pop();
        if (missing > 0) missing--;
        else held.pop()?.close();
        continue;
      }
      const last = todo.length === 0;
      const dir = here();
      const stat = missing > 0 ? undefined : lstatSync(dir.at(part), { throwIfNoEntry: false });
      if (!stat) {
        if (last && missing === 0) return located(path, dir, part, [...names, part], undefined, held, made);
        if (!options.makeParents || todo.includes('..')) {
          // What comes after a missing directory cannot be looked at, only counted, as `..` may return from it.
          missing++;
          names.push(part);
          if (last) throw new WorkspaceError('not_found', `File not found: ${path.written}`);
          continue;
        }
        if (makeDir(dir, part)) made.push([...names, part]);
        held.push(openDir(dir.at(part), root.dirKind));
        names.push(part);
        continue;
      }
      if (stat.isSymbolicLink()) {
        if (last && options.leaf === 'keep') return located(path, dir, part, [...names, part], stat, held, made);
        if (++links > MAX_LINKS) throw new WorkspaceError('io', `Cannot use path: Too many symbolic links: ${path.written}`);
        lastLink = stat;
        expandLink(path, dir, part, stat, todo, names, held);
        continue;
      }
      if (last) return located(path, dir, part, [...names, part], stat, held, made);
      if (!stat.isDirectory()) throw new WorkspaceError('not_directory', `Not a directory: ${path.written}`);
      held.push(reopen(path, dir, part));
      names.push(part);
    }
    if (missing > 0) throw new WorkspaceError('not_found', `File not found: ${path.written}`);
    const dir = here();
    return located(path, dir, '.', names, statDir(dir), held, made);
  } catch (error) {
    closeAll(held);
    throw error;
  }
}

/** Puts a link's target in the place of the link: below the root again, or relative to where the link stands. */
function expandLink(path: CheckedPath, dir: Dir, name: string, stat: Stats, todo: string[], names: string[], held: Dir[]): void {
  let target: string;
  try {
    target = readlinkSync(dir.at(name));
  } catch (error) {
    // EINVAL: it was exchanged for something that is no link.
    if (errnoOf(error) === 'EINVAL') throw new Unsettled(escapes(path.written, 'link_outside'));
    throw error;
  }
  const inside = isAbsolute(target) ? relativeParts(path.root, target) : target.split('/').filter((p) => p !== '' && p !== '.');
  const refused = escapes(path.written, 'link_outside');
  if (!inside) throw Unsettled.ifChanging(stat, refused);
  if (isAbsolute(target)) {
    closeAll(held);
    held.length = 0;
    names.length = 0;
  }
  for (let i = inside.length - 1; i >= 0; i--) todo.push(inside[i] as string);
}

function reopen(path: CheckedPath, dir: Dir, name: string): Dir {
  try {
    return openDir(dir.at(name), path.root.dirKind);
  } catch (error) {
    const errno = errnoOf(error);
    // It was a directory a moment ago: something is exchanging it.
    if (errno === 'ENOTDIR' || errno === 'ELOOP') throw new Unsettled(escapes(path.written, 'link_outside'));
    throw error;
  }
}

/** Whether the directory was made here; `false` when it was there after all. */
function makeDir(dir: Dir, name: string): boolean {
  dir.verify();
  try {
    mkdirSync(dir.at(name), 0o755);
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') {
      throw new WorkspaceError('io', `Cannot create parent directory: ${osReason(error)}`, { cause: error });
    }
    return false;
  } finally {
    dir.verify();
  }
}

/** Keeps the last held directory for the caller and lets go of the rest. */
function located(path: CheckedPath, dir: Dir, name: string, parts: readonly string[], stat: Stats | undefined, held: Dir[], made: string[][] = []): Located {
  for (const other of held) if (other !== dir) other.close();
  const keep = held.includes(dir) ? dir : undefined;
  return {
    path,
    dir,
    name,
    parts,
    stat,
    made,
    at: name === '.' ? `${dir.self}/.` : dir.at(name),
    close: () => keep?.close(),
  };
}

function closeAll(dirs: readonly Dir[]): void {
  for (const dir of dirs) dir.close();
}
