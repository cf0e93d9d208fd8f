import fs, { closeSync, fstatSync, openSync, readdirSync, readFile, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadNative, type Native } from '../resolve/native.ts';
import { makeScratch, type Scratch, withReplaced } from '../testing.ts';
import { landlockAbi, restrictProcess, selfTest } from './landlock.ts';

let scratch: Scratch | undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  scratch?.remove();
  scratch = undefined;
});

it('is not claimed where io_uring could read with the rights of before', () => {
  vi.stubEnv('UV_USE_IO_URING', '1');
  expect(restrictProcess({ read: [], write: [] })).toEqual({
    active: false,
    reason: 'UV_USE_IO_URING is set, which Landlock does not cover',
  });
});

it('is not claimed while a file that must not be readable can be read, or is missing', async () => {
  scratch = makeScratch([]);
  const canary = join(scratch.base, 'canary');
  expect(await selfTest(canary)).toBe(false);
  writeFileSync(canary, 'x');
  expect(await selfTest(canary)).toBe(false);
});

it('is claimed only if this thread and all reads of the thread pool are refused', async () => {
  const refused = Object.assign(new Error('EACCES'), { code: 'EACCES' });
  const trial = async (isRefusedHere: boolean, served: number) => {
    let reads = 0;
    const result = await withReplaced(
      fs,
      {
        readFileSync: ((path: string, ...rest: []) => {
          if (path !== '/canary') return fs.readFileSync(path, ...rest);
          if (isRefusedHere) throw refused;
          return Buffer.of();
        }) as unknown as typeof fs.readFileSync,
        readFile: ((_: string, done: (error: unknown) => void) =>
          done(++reads === served ? null : refused)) as unknown as typeof readFile,
      },
      () => selfTest('/canary'),
    );
    return [result, reads];
  };
  expect(await trial(true, 0)).toEqual([true, 8]);
  expect(await trial(true, 8)).toEqual([false, 8]);
  expect(await trial(false, 0)).toEqual([false, 8]);
});

/** Descriptors of this process that are open on this file of /proc. */
const openOn = (name: string) =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(`/${process.pid}/${name}`);
    } catch {
      return false;
    }
  });

const native = process.platform === 'linux' ? loadNative() : undefined;
const X64 = native !== undefined && process.arch === 'x64';

describe.runIf(X64)('the calls to the kernel', () => {
  /** A kernel with this version of Landlock, which answers as in `results`. */
  function kernel(abi: number, results: { ruleset?: number; prctl?: number; restrict?: number } = {}) {
    const ruleset = results.ruleset ?? openSync('/dev/null', 'r');
    const calls: unknown[] = [];
    vi.spyOn(native as Native, 'call').mockImplementation((number, pointer, size, flags) => {
      calls.push([number, pointer && [...pointer], size, flags]);
      return pointer ? ruleset : abi;
    });
    vi.spyOn(native as Native, 'addRule').mockImplementation((number, set, type, pointer) => {
      const rule = Buffer.from(pointer);
      const path = readlinkSync(`/proc/self/fd/${rule.readInt32LE(8)}`).replace(`/${process.pid}/`, '/self/');
      calls.push([number, set === ruleset, type, rule.length, path, rule.readBigUInt64LE(0).toString(16)]);
      return 0;
    });
    vi.spyOn(native as Native, 'control').mockImplementation((number, a, b) => {
      calls.push([number, a === ruleset ? 'ruleset' : a, b]);
      return (number === 157 ? results.prctl : results.restrict) ?? 0;
    });
    const restrict = (allowed = { write: [] as string[], read: [] as string[] }) => {
      const status = restrictProcess(allowed);
      for (const fd of ['mountinfo', 'fdinfo'].flatMap(openOn)) closeSync(Number(fd));
      return status;
    };
    return { calls, ruleset, restrict };
  }

  it('give a directory and a file the rights of their list, and keep the lists of mounts readable', () => {
    const { base, workspace, outside } = (scratch = makeScratch(['f']));
    const { calls, ruleset, restrict } = kernel(7);
    const status = restrict({ write: [workspace, join(base, 'gone')], read: [outside, join(workspace, 'f')] });
    expect(status).toEqual({ active: true, abi: 7 });
    expect(calls).toEqual([
      [444, null, 0, 1],
      [444, [0xffffn], 8, 0],
      [445, true, 1, 12, workspace, 'fffe'],
      [445, true, 1, 12, outside, 'd'],
      [445, true, 1, 12, join(workspace, 'f'), '5'],
      [445, true, 1, 12, '/proc/self/mountinfo', '4'],
      [445, true, 1, 12, '/proc/self/fdinfo', 'c'],
      [157, 38, 1],
      [446, 'ruleset', 0],
    ]);
    expect(() => fstatSync(ruleset)).toThrow('EBADF');
  });

  it('give a file in the list for writing the rights that files have', () => {
    const { workspace } = (scratch = makeScratch(['f']));
    const { calls, restrict } = kernel(7);
    restrict({ write: [join(workspace, 'f')], read: [] });
    expect(calls[2]).toEqual([445, true, 1, 12, join(workspace, 'f'), 'c006']);
  });

  it('close their descriptors, except those that keep the lists of mounts', () => {
    const count = () => readdirSync('/proc/self/fd').length;
    const { workspace } = (scratch = makeScratch([]));
    const { ruleset } = kernel(7);
    const before = count();
    restrictProcess({ write: [workspace], read: [workspace] });
    const kept = ['mountinfo', 'fdinfo'].map(openOn);
    expect([kept.map((fds) => fds.length), count() - before]).toEqual([[1, 1], 1]);
    for (const fd of kept.flat()) closeSync(Number(fd));
    expect(() => closeSync(ruleset)).toThrow('EBADF');
  });

  it.each([
    [2, 0x3fffn],
    [3, 0x7fffn],
    [4, 0x7fffn],
    [5, 0xffffn],
  ])('handle the rights that version %i knows', (abi, handled) => {
    const { calls, restrict } = kernel(abi);
    expect([restrict(), calls[1]]).toEqual([{ active: true, abi }, [444, [handled], 8, 0]]);
  });

  it('are not made on a kernel without Landlock, with an old version, or on another system', () => {
    const reasons = [-38, 0, 1].map((abi) => {
      const { calls, ruleset, restrict } = kernel(abi);
      closeSync(ruleset);
      return [landlockAbi(), restrict(), calls.length];
    });
    const none = { active: false, reason: 'this kernel has no Landlock, or it is switched off' };
    expect(reasons).toEqual([
      [0, none, 2],
      [0, none, 2],
      [1, { active: false, reason: "this kernel's Landlock (version 1) is too old" }, 2],
    ]);
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    try {
      expect(restrictProcess({ write: [], read: [] })).toEqual({
        active: false,
        reason: 'only Linux has Landlock',
      });
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
    const { arch } = process;
    Object.defineProperty(process, 'arch', { value: 's390x' });
    try {
      expect([landlockAbi(), restrictProcess({ write: [], read: [] })]).toEqual([0, none]);
    } finally {
      Object.defineProperty(process, 'arch', { value: arch });
    }
  });

  it('do not claim the wall if one of them fails', () => {
    expect(kernel(7, { ruleset: -22 }).restrict()).toEqual({
      active: false,
      reason: 'landlock_create_ruleset failed (errno 22)',
    });
    const noPrivileges = kernel(7, { prctl: -1 });
    expect(noPrivileges.restrict()).toEqual({ active: false, reason: 'prctl(NO_NEW_PRIVS) failed' });
    expect(noPrivileges.calls.at(-1)).toEqual([157, 38, 1]);
    const notRestricted = kernel(7, { restrict: -7 });
    expect(notRestricted.restrict()).toEqual({
      active: false,
      reason: 'landlock_restrict_self failed (errno 7)',
    });
    for (const { ruleset } of [noPrivileges, notRestricted]) expect(() => closeSync(ruleset)).toThrow('EBADF');
  });
});
