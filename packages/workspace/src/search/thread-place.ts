import { endianness } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/**
 * Makes a held directory the thread's working directory, from which it resolves names.
 *
 * @returns whether it succeeded; if not, names still resolve from the previous directory
 */
export type Stand = (fd: number) => boolean;

/** The inode number of a held object; `undefined` if it is not available. Half the cost of `fstatSync`. */
export type InodeOf = (fd: number) => number | undefined;

/** The facilities of a search thread. Each is undefined if the system does not provide it. */
export interface ThreadPlace {
  readonly stand?: Stand | undefined;
  readonly inodeOf?: InodeOf | undefined;
}

const CLONE_FS = 0x200;
const AT_EMPTY_PATH = 0x1000;
const AT_STATX_DONT_SYNC = 0x4000;
const STATX_INO = 0x100;
/** Where the structure of statx(2), 256 bytes and the same on every architecture, has the inode, in 32 bits. */
const INO_AT = 8;

type Library = import('koffi').LibraryHandle;

/**
 * Gives this thread a working directory of its own, and a function to change it. From there a file is opened by its
 * bare name: the way through `/proc/self/fd` costs twice as much, and most of a search is opening files. Source: Linux
 * unshare(2), fchdir(2), statx(2).
 *
 * @param nativeFile koffi's binary, which the main thread has loaded: it is not read again, so the second sandbox need
 * not allow it
 * @returns an empty object on the main thread, whose working directory all threads share; only `inodeOf` if unshare is
 *   not permitted
 */
export function standApart(nativeFile: string): ThreadPlace {
  if (isMainThread) return {};
  try {
    const module = { exports: {} as typeof import('koffi') };
    process.dlopen(module, nativeFile);
    const libc = module.exports.load(null);
    return { stand: bindStand(libc), inodeOf: bindInodeOf(libc) };
  } catch {
    return {};
  }
}

function bindStand(libc: Library): Stand | undefined {
  const unshare = libc.func('unshare', 'int', ['int']) as (flags: number) => number;
  const fchdir = libc.func('fchdir', 'int', ['int']) as (fd: number) => number;
  if (unshare(CLONE_FS) !== 0) return undefined;
  return (fd) => fchdir(fd) === 0;
}

function bindInodeOf(libc: Library): InodeOf | undefined {
  if (endianness() !== 'LE') return undefined;
  try {
    const statx = libc.func('statx', 'int', ['int', 'str', 'int', 'uint', 'void *']);
    const out = new Uint32Array(64);
    return (fd) =>
      statx(fd, '', AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, out) === 0
        ? (out[INO_AT] as number) + (out[INO_AT + 1] as number) * 2 ** 32
        : undefined;
  } catch {
    // A C library older than the call.
    return undefined;
  }
}
