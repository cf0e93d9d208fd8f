import { constants, existsSync, type Stats } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The few system calls Node does not expose, through koffi (optional; prebuilt binaries inside the registry package).
 * Source of numbers and structures: Linux `include/uapi/linux/openat2.h`, `landlock.h`, `asm-generic/unistd.h`.
 */
export interface Native {
  /** openat2(2). A descriptor, or a negative errno. The path must hold no NUL byte: it would be cut there. */
  openat2(dirFd: number, path: string, flags: number, resolve: number): number;
  /** renameat2(2) with RENAME_NOREPLACE. 0, or a negative errno. */
  renameNoReplace(fromDir: number, from: string, toDir: number, to: string): number;
  /** renameat2(2) with RENAME_EXCHANGE: both names must exist. 0, or a negative errno. */
  exchange(fromDir: number, from: string, toDir: number, to: string): number;
  /**
   * unlinkat(2), faccessat(2) with W_OK, and openat2(2) of a new file for writing: what Node does through
   * `/proc/self/fd`, at a third of the price. 0 or a descriptor, or a negative errno.
   */
  unlink(dirFd: number, name: string): number;
  mayWrite(dirFd: number, name: string): number;
  create(dirFd: number, name: string, mode: number): number;
  /**
   * Whether the object at a name, a link itself, has this device, inode, kind, mode, size and modification time (to the
   * microsecond). statx(2), at a quarter of the price of `lstat`. `false` also where it cannot be asked for.
   */
  isStill(dirFd: number, name: string, stat: Stats): boolean;
  /**
   * Whether the object at a name, a link itself, is the root of a mount. statx(2), Linux 5.8. `undefined` where the kernel
   * cannot tell.
   */
  isMountRoot(dirFd: number, name: string): boolean | undefined;
  /** flock(2) on an open descriptor that is not O_PATH. Exclusive, without waiting. 0, or a negative errno. */
  tryLock(fd: number): number;
  unlock(fd: number): void;
  /** sync_file_range(2): starts writing a file's pages to the disk and does not wait for it. Best effort. */
  startWriteback(fd: number): void;
  /** lseek(2): the new position, or a negative errno. Offsets up to 2^53. */
  seek(fd: number, offset: number, whence: number): number;
  /** Three shapes of system call for the second wall. Each gives the result, or a negative errno. */
  call(number: number, pointer: Uint8Array | BigUint64Array | null, size: number, flags: number): number;
  addRule(number: number, ruleset: number, type: number, pointer: Uint8Array): number;
  control(number: number, a: number, b: number): number;
}

/** `RESOLVE_*` of openat2(2). */
export const RESOLVE_NO_XDEV = 0x01;
export const RESOLVE_NO_MAGICLINKS = 0x02;
export const RESOLVE_NO_SYMLINKS = 0x04;
export const RESOLVE_BENEATH = 0x08;

/** `O_PATH` and `O_CLOEXEC` have one value on every architecture Node ships for; Node does not name them. */
export const O_PATH = 0o10000000;
export const O_CLOEXEC = 0o2000000;
export const O_DIRECTORY = constants.O_DIRECTORY ?? 0;
export const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0;
/** Opens a directory for reading, not through a link, and nothing else. */
export const LIST = constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const SYS_OPENAT2 = 437;
const SYS_RENAMEAT2: Partial<Record<string, number>> = { x64: 316, arm64: 276, riscv64: 276, ia32: 353, arm: 382 };
const SYS_FLOCK: Partial<Record<string, number>> = { x64: 73, arm64: 32, riscv64: 32, ia32: 143, arm: 143 };
const SYS_SYNC_FILE_RANGE: Partial<Record<string, number>> = { x64: 277, arm64: 84, riscv64: 84 };
const SYNC_FILE_RANGE_WRITE = 2;
const SYS_UNLINKAT: Partial<Record<string, number>> = { x64: 263, arm64: 35, riscv64: 35 };
const SYS_FACCESSAT: Partial<Record<string, number>> = { x64: 269, arm64: 48, riscv64: 48 };
const SYS_STATX: Partial<Record<string, number>> = { x64: 332, arm64: 291, riscv64: 291 };
const AT_SYMLINK_NOFOLLOW = 0x100;
const STATX_BASIC = 0x7ff;
const STATX_TYPE = 1;
const STATX_ATTR_MOUNT_ROOT = 0x2000;
const RENAME_NOREPLACE = 1;
const RENAME_EXCHANGE = 2;
const LOCK_EX_NB = 2 | 4;
const LOCK_UN = 8;
const ENOSYS = 38;

let cached: Native | null | undefined;

/** The native calls, or `undefined` where koffi is not installed or this is not Linux. Loaded once, on first need. */
export function loadNative(): Native | undefined {
  if (cached === undefined) cached = bind() ?? null;
  return cached ?? undefined;
}

/** The file of koffi's binary, once it is loaded: a thread can then have it without reading it again. */
export function nativeFile(): string | undefined {
  return loadNative() && koffiFile;
}

let koffiFile: string | undefined;

/**
 * Loads koffi's binary directly, if its package has it, searching upwards as Node would. The package's own scripts take
 * 8 ms to find the same file, a twentieth of a start. If that fails (another C library, another layout), uses those
 * scripts.
 */
function loadKoffi(): typeof import('koffi') {
  const { arch } = process;
  const inModules = `node_modules/@koromix/koffi-linux-${arch}/linux_${arch}/koffi.node`;
  let dir = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(dir, inModules)) && dir !== dirname(dir)) dir = dirname(dir);
  try {
    koffiFile = join(dir, inModules);
    const module = { exports: {} as typeof import('koffi') };
    process.dlopen(module, koffiFile);
    return module.exports;
  } catch {
    const require = createRequire(import.meta.url);
    const koffi = require('koffi') as typeof import('koffi');
    koffiFile = Object.keys(require.cache).find((file) => /[\\/]koffi\.node$/.test(file));
    return koffi;
  }
}

function bind(): Native | undefined {
  if (process.platform !== 'linux' || process.env.CROFT_NO_NATIVE) return undefined;
  try {
    const koffi = loadKoffi();
    const libc = koffi.load(null);
    // syscall(2) is variadic in C; a fixed prototype per shape of call keeps every argument a full register.
    const openat2 = libc.func('syscall', 'long', ['long', 'long', 'str', 'void *', 'long']);
    const rename = libc.func('syscall', 'long', ['long', 'long', 'str', 'long', 'str', 'long']);
    const lseek = libc.func('lseek', 'int64_t', ['int', 'int64_t', 'int']);
    const withPointer = libc.func('syscall', 'long', ['long', 'void *', 'long', 'long']);
    const withRule = libc.func('syscall', 'long', ['long', 'long', 'long', 'void *', 'long']);
    const withNumbers = libc.func('syscall', 'long', ['long', 'long', 'long', 'long', 'long', 'long']);
    const withName = libc.func('syscall', 'long', ['long', 'long', 'str', 'long', 'long']);
    const withBuffer = libc.func('syscall', 'long', ['long', 'long', 'str', 'long', 'long', 'void *']);
    const looked = new DataView(new ArrayBuffer(256));
    const lookedBytes = new Uint8Array(looked.buffer);
    const how = new BigUint64Array(3);
    const failed = (): number => -koffi.errno();
    const settled = (result: unknown): number => (Number(result) >= 0 ? Number(result) : failed());
    const renameNumber = SYS_RENAMEAT2[process.arch];
    const flockNumber = SYS_FLOCK[process.arch];
    const syncNumber = SYS_SYNC_FILE_RANGE[process.arch];
    const renameWith = (fromDir: number, from: string, toDir: number, to: string, flags: number): number => {
      if (renameNumber === undefined) return -ENOSYS;
      return Number(rename(renameNumber, fromDir, from, toDir, to, flags)) === 0 ? 0 : failed();
    };
    const named = (number: number | undefined, dirFd: number, name: string, flags: number): number =>
      number === undefined ? -ENOSYS : settled(withName(number, dirFd, name, flags, 0));
    const look = (dirFd: number, name: string, mask: number): boolean => {
      const number = SYS_STATX[process.arch];
      if (number === undefined) return false;
      return Number(withBuffer(number, dirFd, name, AT_SYMLINK_NOFOLLOW, mask, lookedBytes)) === 0;
    };
    return {
      openat2(dirFd, path, flags, resolve) {
        how[0] = BigInt(flags | O_CLOEXEC);
        how[1] = 0n;
        how[2] = BigInt(resolve);
        const fd = Number(openat2(SYS_OPENAT2, dirFd, path, how, 24));
        return fd >= 0 ? fd : failed();
      },
      renameNoReplace: (fromDir, from, toDir, to) => renameWith(fromDir, from, toDir, to, RENAME_NOREPLACE),
      exchange: (fromDir, from, toDir, to) => renameWith(fromDir, from, toDir, to, RENAME_EXCHANGE),
      unlink: (dirFd, name) => named(SYS_UNLINKAT[process.arch], dirFd, name, 0),
      mayWrite: (dirFd, name) => named(SYS_FACCESSAT[process.arch], dirFd, name, constants.W_OK),
      create(dirFd, name, mode) {
        how[0] = BigInt(CREATE | O_CLOEXEC);
        how[1] = BigInt(mode);
        how[2] = BigInt(RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH);
        const fd = Number(openat2(SYS_OPENAT2, dirFd, name, how, 24));
        return fd >= 0 ? fd : failed();
      },
      isStill: (dirFd, name, stat) => look(dirFd, name, STATX_BASIC) && isSameLook(looked, stat),
      isMountRoot(dirFd, name) {
        // The attributes, and then those that the kernel and the file system report.
        if (!look(dirFd, name, STATX_TYPE) || (looked.getUint32(56, true) & STATX_ATTR_MOUNT_ROOT) === 0)
          return undefined;
        return (looked.getUint32(8, true) & STATX_ATTR_MOUNT_ROOT) !== 0;
      },
      tryLock(fd) {
        if (flockNumber === undefined) return -ENOSYS;
        return settled(withNumbers(flockNumber, fd, LOCK_EX_NB, 0, 0, 0));
      },
      unlock(fd) {
        if (flockNumber !== undefined) withNumbers(flockNumber, fd, LOCK_UN, 0, 0, 0);
      },
      startWriteback(fd) {
        if (syncNumber !== undefined) withNumbers(syncNumber, fd, 0, 0, SYNC_FILE_RANGE_WRITE, 0);
      },
      seek(fd, offset, whence) {
        return settled(lseek(fd, offset, whence));
      },
      call(number, pointer, size, flags) {
        return settled(withPointer(number, pointer, size, flags));
      },
      addRule(number, ruleset, type, pointer) {
        return settled(withRule(number, ruleset, type, pointer, 0));
      },
      control(number, a, b) {
        return settled(withNumbers(number, a, b, 0, 0, 0));
      },
    };
  } catch {
    return undefined;
  }
}

/** Offsets of `struct statx`; all architectures above are little-endian. */
function isSameLook(looked: DataView, stat: Stats): boolean {
  const major = looked.getUint32(136, true);
  const minor = looked.getUint32(140, true);
  const seconds = looked.getInt32(116, true) * 2 ** 32 + looked.getUint32(112, true);
  const millis = seconds * 1_000 + looked.getUint32(120, true) / 1e6;
  return (
    isNumber(looked, 32, stat.ino) &&
    isNumber(looked, 40, stat.size) &&
    looked.getUint16(28, true) === stat.mode &&
    Math.round(millis * 1_000) === Math.round(stat.mtimeMs * 1_000) &&
    // The encoding of makedev(3).
    stat.dev === (major & 0xfff) * 256 + (minor & 0xff) + (minor >>> 8) * 2 ** 20
  );
}

/** Compares a field of 64 bits. As a BigInt, each would be an object. Numbers above 2^53 are never equal. */
function isNumber(looked: DataView, offset: number, value: number): boolean {
  return (
    Number.isSafeInteger(value) &&
    looked.getUint32(offset, true) === value % 2 ** 32 &&
    looked.getUint32(offset + 4, true) === Math.floor(value / 2 ** 32)
  );
}
