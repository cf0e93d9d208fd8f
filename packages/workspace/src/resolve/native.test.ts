import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../testing.ts';
import {
  loadNative,
  type Native,
  nativeFile,
  O_DIRECTORY,
  O_PATH,
  RESOLVE_BENEATH,
  RESOLVE_NO_MAGICLINKS,
  RESOLVE_NO_SYMLINKS,
  RESOLVE_NO_XDEV,
} from './native.ts';

const native = process.platform === 'linux' ? loadNative() : undefined;
let scratch: Scratch;
let dir: number;
const at = (name: string) => join(scratch.workspace, name);
beforeEach(() => {
  scratch = makeScratch(['a.txt = one', 'b.txt = two']);
  dir = openSync(scratch.workspace, O_PATH | O_DIRECTORY);
});
afterEach(() => {
  closeSync(dir);
  scratch.remove();
});

describe.runIf(native !== undefined)('a file that was looked at before', () => {
  const isStill =
    (before = lstatSync(at('a.txt'))) =>
    (change: () => void) => {
      expect(native?.isStill(dir, 'a.txt', before)).toBe(true);
      change();
      return native?.isStill(dir, 'a.txt', before);
    };

  it.each([
    [
      'its size',
      () => {
        writeFileSync(at('a.txt'), 'other length');
        utimesSync(at('a.txt'), 5, 5);
      },
    ],
    ['its mode', () => chmodSync(at('a.txt'), 0o600)],
    ['its date', () => utimesSync(at('a.txt'), 1, 1)],
    [
      'another file of the same size, mode and time',
      () => {
        const { atime, mtime } = lstatSync(at('a.txt'));
        utimesSync(at('b.txt'), atime, mtime);
        renameSync(at('b.txt'), at('a.txt'));
      },
    ],
    ['a missing name', () => renameSync(at('a.txt'), at('c.txt'))],
  ])('is another one after a change: %s', (_, change) => {
    utimesSync(at('a.txt'), 5, 5);
    chmodSync(at('a.txt'), 0o644);
    chmodSync(at('b.txt'), 0o644);
    expect(isStill()(change)).toBe(false);
  });

  it('is compared with its inode and device', () => {
    const before = lstatSync(at('a.txt'));
    for (const key of ['ino', 'dev'] as const)
      expect(native?.isStill(dir, 'a.txt', Object.assign(lstatSync(at('a.txt')), { [key]: before[key] + 1 }))).toBe(
        false,
      );
  });
});

describe.runIf(native !== undefined)('a system call', () => {
  const { calls, fds } = { calls: native as Native, fds: [] as number[] };
  /** Closes a descriptor after the test. */
  const kept = (fd: number) => {
    if (fd >= 0) fds.push(fd);
    return fd;
  };
  const errno = { ENOENT: -2, EBADF: -9, EAGAIN: -11, EEXIST: -17, EXDEV: -18, EISDIR: -21, EINVAL: -22, ENOSYS: -38 };
  const ELOOP = -40;
  const textOf = (name: string) => readFileSync(at(name), 'utf8');
  afterEach(() => {
    for (const fd of fds.splice(0)) closeSync(fd);
  });

  it('opens a name below a directory, and reports the reason if it does not', () => {
    symlinkSync('a.txt', at('link'));
    const open = (path: string, resolve = RESOLVE_BENEATH) =>
      kept(calls.openat2(dir, path, constants.O_RDONLY, resolve));
    const fd = open('a.txt');
    expect(readFileSync(fd, 'utf8')).toBe('one');
    expect(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')).toMatch(/^flags:\t02[0-7]{6}$/m);
    expect(open('link')).toBeGreaterThan(2);
    expect([
      open('gone'),
      open('../outside'),
      open('link', RESOLVE_NO_SYMLINKS),
      calls.openat2(1_000_000, 'a.txt', 0, 0),
    ]).toEqual([errno.ENOENT, errno.EXDEV, ELOOP, errno.EBADF]);
    expect(open('../outside', 0)).toBeGreaterThan(2);
    const proc = kept(openSync('/proc', O_PATH | O_DIRECTORY));
    expect(calls.openat2(proc, 'self/exe', O_PATH, RESOLVE_NO_MAGICLINKS)).toBe(ELOOP);
    const top = kept(openSync('/', O_PATH | O_DIRECTORY));
    expect(calls.openat2(top, 'proc/self', O_PATH, RESOLVE_NO_XDEV)).toBe(errno.EXDEV);
  });

  it('renames to a free name only, or exchanges two names', () => {
    expect(calls.renameNoReplace(dir, 'a.txt', dir, 'b.txt')).toBe(errno.EEXIST);
    expect([textOf('a.txt'), textOf('b.txt')]).toEqual(['one', 'two']);
    expect(calls.exchange(dir, 'a.txt', dir, 'b.txt')).toBe(0);
    expect([textOf('a.txt'), textOf('b.txt')]).toEqual(['two', 'one']);
    expect(calls.exchange(dir, 'a.txt', dir, 'c.txt')).toBe(errno.ENOENT);
    const outside = kept(openSync(scratch.outside, O_PATH | O_DIRECTORY));
    expect(calls.renameNoReplace(dir, 'a.txt', outside, 'c.txt')).toBe(0);
    expect([readdirSync(scratch.workspace), readdirSync(scratch.outside)]).toEqual([
      ['b.txt'],
      ['c.txt', 'secret.txt'],
    ]);
  });

  it('creates a new file below the directory, without following a link', () => {
    symlinkSync(scratch.outside, at('link'));
    const fd = kept(calls.create(dir, 'new', 0o700));
    writeFileSync(fd, 'text');
    expect([textOf('new'), lstatSync(at('new')).mode & 0o777]).toEqual(['text', 0o700]);
    expect(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')).toMatch(/^flags:\t02[0-7]{5}1$/m);
    expect(() => readFileSync(fd)).toThrow('EBADF');
    expect(['new', 'link', 'link/x', '../x', 'd/x'].map((name) => calls.create(dir, name, 0o600))).toEqual([
      errno.EEXIST,
      errno.EEXIST,
      ELOOP,
      errno.EXDEV,
      errno.ENOENT,
    ]);
  });

  it('removes a name that is not a directory, and asks whether one may be written', () => {
    mkdirSync(at('d'));
    expect(['a.txt', 'gone'].map((name) => calls.mayWrite(dir, name))).toEqual([0, errno.ENOENT]);
    const proc = kept(openSync('/proc/self/ns', O_PATH | O_DIRECTORY));
    expect(calls.mayWrite(proc, 'gone')).toBe(errno.ENOENT);
    expect(['a.txt', 'a.txt', 'd'].map((name) => calls.unlink(dir, name))).toEqual([0, errno.ENOENT, errno.EISDIR]);
    expect(readdirSync(scratch.workspace).sort()).toEqual(['b.txt', 'd']);
  });

  it('tells the root of a mount from other names', () => {
    const top = kept(openSync('/', O_PATH | O_DIRECTORY));
    expect([calls.isMountRoot(top, 'proc'), calls.isMountRoot(dir, 'gone')]).toEqual([true, undefined]);
    expect(calls.isMountRoot(dir, 'a.txt')).toBe(false);
  });

  it('locks a file for one descriptor, without waiting', () => {
    const [one, other] = [kept(openSync(at('a.txt'), 'r')), kept(openSync(at('a.txt'), 'r'))];
    expect([calls.tryLock(one), calls.tryLock(other), calls.tryLock(1_000_000)]).toEqual([
      0,
      errno.EAGAIN,
      errno.EBADF,
    ]);
    calls.unlock(one);
    expect(calls.tryLock(other)).toBe(0);
  });

  it('moves the position in a file, also beyond 32 bits', () => {
    const fd = kept(openSync(at('a.txt'), 'r'));
    expect([
      calls.seek(fd, 2, 0),
      calls.seek(fd, -1, 1),
      calls.seek(fd, 2 ** 40 + 1, 0),
      calls.seek(fd, 0, 2),
      calls.seek(fd, -1, 0),
      calls.seek(1_000_000, 0, 0),
    ]).toEqual([2, 1, 2 ** 40 + 1, 3, errno.EINVAL, errno.EBADF]);
    expect(calls.startWriteback(fd)).toBeUndefined();
  });

  it('of any number has a result or an error number', () => {
    const none = 100_000;
    expect([
      calls.call(none, null, 0, 0),
      calls.addRule(none, 0, 0, new Uint8Array(12)),
      calls.control(none, 0, 0),
    ]).toEqual([errno.ENOSYS, errno.ENOSYS, errno.ENOSYS]);
    // pidfd_open(2) has this number on every architecture.
    const PIDFD_OPEN = 434;
    expect(kept(calls.control(PIDFD_OPEN, process.pid, 0))).toBeGreaterThan(2);
    expect([calls.control(PIDFD_OPEN, -1, 0), calls.control(PIDFD_OPEN, process.pid, 1)]).toEqual([
      errno.EINVAL,
      errno.EINVAL,
    ]);
  });
});

it.runIf(native !== undefined)('names the binary that it loaded', () => {
  expect(nativeFile()).toMatch(/\/koffi\.node$/);
  expect(loadNative()).toBe(native);
});
