import { closeSync, fstatSync, openSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceError } from '../errors.ts';
import { O_DIRECTORY, O_NOFOLLOW, O_PATH } from './native.ts';

/**
 * A directory reached from the workspace's own descriptor. `at(name)` is a path that the kernel resolves from this
 * very directory, whatever the tree around it has become, so `fs` calls on it are openat(2), mkdirat(2), renameat(2).
 *
 * On systems without /proc it is a plain path: `verify()` then tells before and after an act whether the path still
 * leads to the same directory. That detects a swap; it does not prevent one.
 */
export interface Dir {
  /** The held descriptor; -1 where the rung has none. */
  readonly fd: number;
  /** A path to one name inside this directory. The name must be a single component. */
  at(name: string): string;
  /** A path to the directory itself. */
  readonly self: string;
  /** @throws WorkspaceError `outside` when a path-based directory was swapped. A no-op where a descriptor is held. */
  verify(): void;
  /** Whether the path still leads to this directory. Always true where a descriptor is held. */
  isSame(): boolean;
  close(): void;
}

/** How directories are held here: by descriptor through /proc, or by path. */
export type DirKind = 'descriptor' | 'path';

/** Opens `path` as a directory without following a link in its last component. Throws Node's own errors. */
export function openDir(path: string, kind: DirKind): Dir {
  return kind === 'descriptor' ? descriptorDir(openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)) : pathDir(path);
}

/** Wraps a directory descriptor; `close()` closes it. */
export function descriptorDir(fd: number): Dir {
  const self = `/proc/self/fd/${fd}`;
  let open = true;
  return {
    fd,
    self,
    at: (name) => `${self}/${name}`,
    verify() {},
    isSame: () => true,
    close() {
      if (open) closeSync(fd);
      open = false;
    },
  };
}

/** Holds a directory by its real path and identity. */
export function pathDir(path: string): Dir {
  const before = statSync(path);
  if (!before.isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR', errno: -20 });
  const isSame = (): boolean => {
    try {
      return sameFile(statSync(path), before) && realpathSync.native(path) === path;
    } catch {
      // Gone or unreachable.
      return false;
    }
  };
  return {
    fd: -1,
    self: path,
    at: (name) => join(path, name),
    verify() {
      if (!isSame())
        throw new WorkspaceError('outside', 'A directory on the path changed while it was used; try again');
    },
    isSame,
    close() {},
  };
}

/** Whether `a` and `b` are the same object on disk. */
export function sameFile(a: { dev: number; ino: number }, b: { dev: number; ino: number }): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** `fstat` of a directory's descriptor, or `stat` of its path. */
export function statDir(dir: Dir): Stats {
  return dir.fd >= 0 ? fstatSync(dir.fd) : statSync(dir.self);
}

/** The device and inode of a directory, which tell whether it is still the same one. */
export function identityOf(dir: Dir): { dev: number; ino: number } {
  const { dev, ino } = statDir(dir);
  return { dev, ino };
}
