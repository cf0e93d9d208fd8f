import { isMainThread } from 'node:worker_threads';

/**
 * Makes a held directory the one this thread looks names up from.
 *
 * @returns whether it did; if not, names still mean the directory of before
 */
export type Stand = (fd: number) => boolean;

const CLONE_FS = 0x200;

/**
 * Gives this thread a working directory of its own, and the way to change it. From there a file is opened by its bare
 * name: the way through `/proc/self/fd` costs twice as much, and most of a search is opening files.
 * Source: Linux unshare(2), fchdir(2).
 *
 * @param nativeFile koffi's binary, which the main thread has loaded: it is not read again, so the second wall need not
 *   allow it
 * @returns `undefined` on the main thread, whose working directory is everybody's, and where unshare is not permitted
 */
export function standApart(nativeFile: string): Stand | undefined {
  if (isMainThread) return undefined;
  try {
    const module = { exports: {} as typeof import('koffi') };
    process.dlopen(module, nativeFile);
    const libc = module.exports.load(null);
    const unshare = libc.func('unshare', 'int', ['int']) as (flags: number) => number;
    const fchdir = libc.func('fchdir', 'int', ['int']) as (fd: number) => number;
    if (unshare(CLONE_FS) !== 0) return undefined;
    return (fd) => fchdir(fd) === 0;
  } catch {
    return undefined;
  }
}
