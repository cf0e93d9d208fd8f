import { closeSync, openSync, readFile, readFileSync, statSync } from 'node:fs';
import { loadNative, type Native, O_PATH } from '../resolve/native.ts';

/**
 * The second wall: Linux Landlock takes away from this whole process every file right outside a list of directories,
 * so that a mistake in the first wall still leads nowhere. It must be set before libuv's thread pool exists.
 * Source: Linux `Documentation/userspace-api/landlock.rst`, ABI 1 to 7.
 */
export type SecondWallStatus =
  | { readonly active: true; readonly abi: number }
  | { readonly active: false; readonly reason: string };

const SYS_CREATE_RULESET = 444;
const SYS_ADD_RULE = 445;
const SYS_RESTRICT_SELF = 446;
const SYS_PRCTL: Partial<Record<string, number>> = { x64: 157, arm64: 167 };
const PR_SET_NO_NEW_PRIVS = 38;
const VERSION_FLAG = 1;
const RULE_PATH_BENEATH = 1;

const EXECUTE = 1n << 0n;
const READ_FILE = 1n << 2n;
const READ_DIR = 1n << 3n;
const REFER = 1n << 13n;
const TRUNCATE = 1n << 14n;
const IOCTL_DEV = 1n << 15n;
const ABI_1 = (1n << 13n) - 1n;
const READ = READ_FILE | READ_DIR;

/** Where the kernel tells a process which mounts it sees and which one a descriptor belongs to: `resolve/mounts.ts`. */
const OWN_MOUNTS = ['/proc/self/mountinfo', '/proc/self/fdinfo'];

/** The kernel's Landlock version, 0 when it has none or koffi is missing. */
export function landlockAbi(): number {
  const native = loadNative();
  if (!native || SYS_PRCTL[process.arch] === undefined) return 0;
  return Math.max(0, native.call(SYS_CREATE_RULESET, null, 0, VERSION_FLAG));
}

/**
 * Restricts this process, its later threads and its children. Cannot be undone. Directories that do not exist are
 * left out. Call it first thing in a CommonJS entry, while no file has been touched asynchronously, and confirm with
 * {@link selfTest}. The process may still read which mounts it sees.
 *
 * @param allowed host paths with full rights (`write`) or reading only (`read`)
 */
export function restrictProcess(allowed: {
  readonly write: readonly string[];
  readonly read: readonly string[];
}): SecondWallStatus {
  // libuv's io_uring ring is made with the rights of before, and would read outside in spite of everything.
  if (process.env.UV_USE_IO_URING)
    return { active: false, reason: 'UV_USE_IO_URING is set, which Landlock does not cover' };
  const native = loadNative();
  const prctl = SYS_PRCTL[process.arch];
  const abi = landlockAbi();
  if (!native || prctl === undefined || abi < 2) return { active: false, reason: whyNot(native, abi) };
  const handled = ABI_1 | REFER | (abi >= 3 ? TRUNCATE : 0n) | (abi >= 5 ? IOCTL_DEV : 0n);
  const fd = native.call(SYS_CREATE_RULESET, new BigUint64Array([handled]), 8, 0);
  if (fd < 0) return { active: false, reason: `landlock_create_ruleset failed (errno ${-fd})` };
  try {
    for (const path of allowed.write) addPath(native, fd, path, handled & ~EXECUTE);
    for (const path of allowed.read) addPath(native, fd, path, READ | EXECUTE);
    for (const path of OWN_MOUNTS) {
      addPath(native, fd, path, READ);
      holdOpen(path);
    }
    if (native.control(prctl, PR_SET_NO_NEW_PRIVS, 1) < 0)
      return { active: false, reason: 'prctl(NO_NEW_PRIVS) failed' };
    const failed = native.control(SYS_RESTRICT_SELF, fd, 0);
    return failed < 0
      ? { active: false, reason: `landlock_restrict_self failed (errno ${-failed})` }
      : { active: true, abi };
  } finally {
    closeSync(fd);
  }
}

/**
 * Tries to read a file that must not be readable, on this thread and through the thread pool. Only when both are
 * refused may the wall be claimed.
 */
export async function selfTest(canary: string): Promise<boolean> {
  const refused = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code === 'EACCES';
  let sync = false;
  try {
    readFileSync(canary);
  } catch (error) {
    sync = refused(error);
  }
  // With a callback: the promises of `fs` are a module of their own, 3 ms to load.
  const inPool = () => new Promise<boolean>((resolve) => readFile(canary, (error) => resolve(refused(error))));
  const pool = await Promise.all(Array.from({ length: 8 }, inPool));
  return sync && pool.every(Boolean);
}

/** A rule belongs to an inode, and proc makes a new inode for a name that no process uses. */
function holdOpen(path: string): void {
  try {
    openSync(path, O_PATH);
  } catch {
    // No /proc.
  }
}

function addPath(native: Native, ruleset: number, path: string, rights: bigint): void {
  let fd: number;
  try {
    fd = openSync(path, O_PATH);
  } catch {
    return;
  }
  try {
    const isDirectory = statSync(path).isDirectory();
    const fileOnly = EXECUTE | READ_FILE | (1n << 1n) | TRUNCATE | IOCTL_DEV;
    // struct landlock_path_beneath_attr is packed: u64 rights, s32 descriptor.
    const attributes = Buffer.alloc(12);
    attributes.writeBigUInt64LE(isDirectory ? rights : rights & fileOnly, 0);
    attributes.writeInt32LE(fd, 8);
    native.addRule(SYS_ADD_RULE, ruleset, RULE_PATH_BENEATH, attributes);
  } finally {
    closeSync(fd);
  }
}

function whyNot(native: Native | undefined, abi: number): string {
  if (process.platform !== 'linux') return 'only Linux has Landlock';
  if (!native) return 'koffi is not installed';
  return abi === 0
    ? 'this kernel has no Landlock, or it is switched off'
    : `this kernel's Landlock (version ${abi}) is too old`;
}
