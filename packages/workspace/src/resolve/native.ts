import { constants, existsSync } from 'node:fs';
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

const SYS_OPENAT2 = 437;
const SYS_RENAMEAT2: Partial<Record<string, number>> = { x64: 316, arm64: 276, riscv64: 276, ia32: 353, arm: 382 };
const RENAME_NOREPLACE = 1;
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
 * koffi's binary itself, where its package has it, looked for upwards as Node would. The scripts around it take 8 ms, a
 * twentieth of a start, to find the same file. What does not load so (another C library, another layout) goes through
 * them.
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
    const withPointer = libc.func('syscall', 'long', ['long', 'void *', 'long', 'long']);
    const withRule = libc.func('syscall', 'long', ['long', 'long', 'long', 'void *', 'long']);
    const withNumbers = libc.func('syscall', 'long', ['long', 'long', 'long', 'long', 'long', 'long']);
    const how = new BigUint64Array(3);
    const failed = (): number => -koffi.errno();
    const settled = (result: unknown): number => (Number(result) >= 0 ? Number(result) : failed());
    const renameNumber = SYS_RENAMEAT2[process.arch];
    return {
      openat2(dirFd, path, flags, resolve) {
        how[0] = BigInt(flags | O_CLOEXEC);
        how[2] = BigInt(resolve);
        const fd = Number(openat2(SYS_OPENAT2, dirFd, path, how, 24));
        return fd >= 0 ? fd : failed();
      },
      renameNoReplace(fromDir, from, toDir, to) {
        if (renameNumber === undefined) return -ENOSYS;
        return Number(rename(renameNumber, fromDir, from, toDir, to, RENAME_NOREPLACE)) === 0 ? 0 : failed();
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
