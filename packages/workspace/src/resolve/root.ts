import { closeSync, fstatSync, lstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { osReason, WorkspaceError } from '../errors.ts';
import { type Dir, type DirKind, descriptorDir, pathDir, sameFile, statDir } from './dir.ts';
import { LIST, loadNative, type Native, O_DIRECTORY, O_PATH, RESOLVE_BENEATH } from './native.ts';

/** Which mechanism keeps paths inside: see SECURITY.md for what each one guarantees. */
export type ResolverKind = 'openat2' | 'walk' | 'portable';

/** The enclosed directory itself, held open for the life of the workspace. */
export interface Root {
  /** Real host path. For operators and for rebasing absolute paths; never for a model. */
  readonly path: string;
  /** Path as it was given, when it differs (a symlinked alias of the root). */
  readonly given: string;
  /** The components of every absolute path that names the root. Fixed when it is opened. */
  readonly names: readonly (readonly string[])[];
  readonly kind: ResolverKind;
  readonly dirKind: DirKind;
  readonly native: Native | undefined;
  readonly dir: Dir;
  /**
   * Compares the directory at the root's real path with the held one. Reopens a directory that was removed and made
   * again. Does not notice a move between this check and the end of the call.
   *
   * @throws WorkspaceError `unavailable` when the directory was moved, replaced or removed, or after `close()`
   */
  check(): void;
  /** A descriptor of the directory that flock(2) takes, opened on first need; -1 where the directory may not be read. */
  lockFd(): number;
  /** Keeps every directory this root has been from being closed until the result is called. */
  hold(): () => void;
  close(): void;
}

/** Every root this process serves. */
const openRoots = new Set<Root>();

/** Whether the directory `host`, a real path, is a root this process serves, or holds one. */
export function holdsServedRoot(host: string): boolean {
  for (const { path } of openRoots) if (path === host || path.startsWith(`${host}/`)) return true;
  return false;
}

/**
 * Opens the directory a workspace encloses.
 *
 * @param path host path of an existing directory
 * @param force a weaker mechanism than the best available, for tests and `doctor`
 * @param openTop how the directory is reached, now and when it was removed and made again; by its path unless given
 * @throws WorkspaceError `unavailable`
 */
export function openRoot(
  path: string,
  force?: ResolverKind,
  openTop: (given: string, kind: DirKind) => Dir = openRootDir,
): Root {
  const given = resolve(path);
  const kind = force ?? bestResolver();
  const dirKind: DirKind = kind === 'portable' ? 'path' : 'descriptor';
  let dir = openTop(given, dirKind);
  let path_ = realPathOf(dir);
  let identity = statDir(dir);
  let names = namesOf(path_, given);
  let closed = false;
  let lockFd: number | undefined;
  const closeLock = () => {
    if (lockFd !== undefined && lockFd >= 0) closeSync(lockFd);
    lockFd = undefined;
  };
  let holders = 0;
  const unused: Dir[] = [];
  const letGo = (old: Dir) => {
    unused.push(old);
    if (holders === 0) for (const one of unused.splice(0)) one.close();
  };
  const root: Root = {
    get path() {
      return path_;
    },
    given,
    get names() {
      return names;
    },
    kind,
    dirKind,
    native: kind === 'openat2' ? loadNative() : undefined,
    get dir() {
      return dir;
    },
    check() {
      // The descriptor's number may belong to another directory by now.
      if (closed) throw new WorkspaceError('unavailable', 'The workspace was closed');
      if (leadsTo(path_, dir, identity)) return;
      if (isMoved(dir)) throw unavailable(`${path_} is no longer the directory that was opened`);
      const fresh = openTop(given, dirKind);
      // A link in its place could lead anywhere.
      if (realPathOf(fresh) !== path_) {
        fresh.close();
        throw unavailable(`${given} leads to another directory than ${path_}`);
      }
      letGo(dir);
      closeLock();
      dir = fresh;
      identity = statDir(dir);
      names = namesOf(path_, given);
    },
    lockFd() {
      lockFd ??= openForLock(dir);
      return lockFd;
    },
    hold() {
      holders++;
      return () => {
        if (--holders > 0) return;
        for (const one of unused.splice(0)) one.close();
        // A call that ended after `close()` may have opened it again.
        if (closed) closeLock();
      };
    },
    close() {
      closed = true;
      openRoots.delete(root);
      letGo(dir);
      closeLock();
    },
  };
  openRoots.add(root);
  return root;
}

function openForLock(dir: Dir): number {
  try {
    return openSync(`${dir.self}/.`, LIST);
  } catch {
    return -1;
  }
}

function openRootDir(path: string, kind: DirKind): Dir {
  try {
    if (kind === 'path') return pathDir(realpathSync.native(path));
    return descriptorDir(openSync(path, O_PATH | O_DIRECTORY));
  } catch (error) {
    throw new WorkspaceError('unavailable', 'The workspace directory is missing or cannot be opened', {
      operatorMessage: `Cannot open workspace ${path}: ${osReason(error)}`,
      cause: error,
    });
  }
}

function realPathOf(dir: Dir): string {
  return dir.fd >= 0 ? readlinkSync(dir.self) : dir.self;
}

/**
 * Whether `path` still leads to the held directory. The held descriptor keeps its inode number from being used again.
 * Without a descriptor, a link in the directory's place is left to `verify()` to refuse.
 */
function leadsTo(path: string, dir: Dir, identity: { dev: number; ino: number }): boolean {
  try {
    if (dir.fd < 0) return dir.isSame() || realpathSync.native(path) !== path;
    const found = lstatSync(path, IF_THERE);
    return found !== undefined && sameFile(found, identity);
  } catch {
    return false;
  }
}

const IF_THERE = { throwIfNoEntry: false } as const;

/** A removed directory keeps its descriptor but has no link left; a moved one has. */
function isMoved(dir: Dir): boolean {
  return dir.fd >= 0 && fstatSync(dir.fd).nlink > 0;
}

function unavailable(operatorMessage: string): WorkspaceError {
  const message =
    'The workspace directory was moved or replaced. Nothing was done: put it back, or start the server again';
  return new WorkspaceError('unavailable', message, { operatorMessage });
}

let best: ResolverKind | undefined;

/** The strongest mechanism this machine has, probed once by really using it. */
export function bestResolver(): ResolverKind {
  best ??= probe();
  return best;
}

function probe(): ResolverKind {
  if (process.platform !== 'linux') return 'portable';
  try {
    const fd = openSync('/', O_PATH | O_DIRECTORY);
    try {
      // Some containers mount no /proc, and some give another process's.
      if (!sameFile(statSync(`/proc/self/fd/${fd}/.`), fstatSync(fd))) return 'portable';
      const native = loadNative();
      if (!native) return 'walk';
      const probed = native.openat2(fd, '.', O_PATH | O_DIRECTORY, RESOLVE_BENEATH);
      if (probed < 0) return 'walk';
      closeSync(probed);
      return 'openat2';
    } finally {
      closeSync(fd);
    }
  } catch {
    return 'portable';
  }
}

/**
 * The components of `path` relative to the root, `..` kept, or `undefined` when it is absolute and does not lie in
 * the root under any of the root's names. Purely a comparison of text: nothing outside is ever looked at for a caller,
 * who could tell from the answer what exists there. The result is resolved from the root's descriptor.
 */
export function relativeParts(root: Root, path: string): string[] | undefined {
  const parts = componentsOf(path);
  if (!isAbsolute(path)) return parts;
  const name = root.names.find((name) => name.every((part, i) => parts[i] === part));
  return name && parts.slice(name.length);
}

/** The paths by which an operator may mean the root: as given, the real one, and the short form of macOS's `/private`. */
function namesOf(real: string, given: string): string[][] {
  const names = [real, given];
  const short = real.startsWith('/private/') ? real.slice('/private'.length) : undefined;
  if (short !== undefined && isSamePath(short, real)) names.push(short);
  return names.map(componentsOf);
}

function isSamePath(path: string, real: string): boolean {
  try {
    return realpathSync.native(path) === real;
  } catch {
    return false;
  }
}

function componentsOf(path: string): string[] {
  return path.split(process.platform === 'win32' ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
}
