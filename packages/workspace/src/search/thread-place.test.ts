import os from 'node:os';
import workerThreads from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nativeFile } from '../resolve/native.ts';
import { withReplaced } from '../testing.ts';
import { standApart, type ThreadPlace } from './thread-place.ts';

afterEach(() => vi.restoreAllMocks());

it('leaves the working directory of the main thread alone, which all threads share', () => {
  const before = process.cwd();
  expect(standApart(nativeFile() ?? '/no/such/file')).toEqual({});
  expect(process.cwd()).toBe(before);
});

describe('on a thread of its own', () => {
  type Results = Partial<Record<'unshare' | 'fchdir' | 'statx', number | undefined>>;
  /** Runs `act` with a C library whose functions give these results; `undefined` if it has no such function. */
  async function withLibrary<T>(results: Results, act: (place: ThreadPlace, calls: unknown[]) => T): Promise<T> {
    const calls: unknown[] = [];
    const func = (name: keyof Results, result: string, parameters: readonly string[]) => {
      if (results[name] === undefined) throw new Error(`no ${name}`);
      calls.push(`${result} ${name}(${parameters.join(', ')})`);
      return (...given: unknown[]) => {
        const out = given.at(-1);
        if (out instanceof Uint32Array) {
          calls.push([name, ...given.slice(0, -1), out.byteLength]);
          out.set([7, 3], 8);
        } else calls.push([name, ...given]);
        return results[name];
      };
    };
    vi.spyOn(process, 'dlopen').mockImplementation((module, file) => {
      calls.push(file);
      Object.assign(module, { exports: { load: (path: unknown) => ({ func: path === null ? func : undefined }) } });
    });
    return withReplaced(workerThreads, { isMainThread: false }, () => act(standApart('/koffi.node'), calls));
  }
  const ALL = { unshare: 0, fchdir: 0, statx: 0 };
  const BOUND = [
    '/koffi.node',
    'int unshare(int)',
    'int fchdir(int)',
    ['unshare', 0x200],
    'int statx(int, str, int, uint, void *)',
  ];

  it('changes its own directory, and reads inodes of 64 bits', () =>
    withLibrary(ALL, (place, calls) => {
      expect([place.stand?.(11), place.inodeOf?.(12), calls]).toEqual([
        true,
        7 + 3 * 2 ** 32,
        [...BOUND, ['fchdir', 11], ['statx', 12, '', 0x5000, 0x100, 256]],
      ]);
    }));

  it('says that a directory or an inode is not available', () =>
    withLibrary({ unshare: 0, fchdir: -1, statx: -1 }, (place) => {
      expect([place.stand?.(11), place.inodeOf?.(12)]).toEqual([false, undefined]);
    }));

  it('has only inodes where it may not leave the common directory', () =>
    withLibrary({ ...ALL, unshare: -1 }, (place) => {
      expect([place.stand, place.inodeOf?.(12)]).toEqual([undefined, 7 + 3 * 2 ** 32]);
    }));

  it('reads no inodes without statx, or where the bytes have another order', async () => {
    const kinds = ({ stand, inodeOf }: ThreadPlace) => [typeof stand, typeof inodeOf];
    expect(await withLibrary({ ...ALL, statx: undefined }, kinds)).toEqual(['function', 'undefined']);
    const bigEndian = await withReplaced(os, { endianness: () => 'BE' }, () => withLibrary(ALL, kinds));
    expect(bigEndian).toEqual(['function', 'undefined']);
  });

  it('has nothing where the library cannot be loaded or lacks a function', async () => {
    expect(await withLibrary({ ...ALL, fchdir: undefined }, (place) => place)).toEqual({});
    vi.spyOn(process, 'dlopen').mockImplementation(() => {
      throw new Error('no such file');
    });
    expect(await withReplaced(workerThreads, { isMainThread: false }, () => standApart('/none'))).toEqual({});
  });
});
