import { readFileSync } from 'node:fs';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import { type Dir, statDir } from './dir.ts';

/**
 * The mount points of this process's mount namespace, as host paths. Empty where the kernel does not list them.
 * Source: proc_pid_mountinfo(5).
 */
export function mountPoints(mountinfo = readMountinfo()): readonly string[] {
  return mountinfo.split('\n').flatMap((line) => {
    const field = line.split(' ')[4];
    return field ? [unescapeField(field)] : [];
  });
}

/** The kernel writes space, tab, newline and backslash in a field as three octal digits. */
function unescapeField(field: string): string {
  const bytes = Buffer.from(field).toString('latin1');
  const plain = bytes.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return Buffer.from(plain, 'latin1').toString();
}

function readMountinfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch (error) {
    requireMissing(error);
    return '';
  }
}

/**
 * Whether the two held directories belong to one mount. Bind mounts of one device are different mounts. Without
 * descriptors only devices are compared.
 */
export function isSameMount(a: Dir, b: Dir): boolean {
  if (a === b) return true;
  if (a.fd < 0 || b.fd < 0) return statDir(a).dev === statDir(b).dev;
  return mountIdOf(a.fd) === mountIdOf(b.fd);
}

/** The kernel's number for the mount that a descriptor was opened on; `undefined` where the kernel does not tell it. */
export function mountIdOf(fd: number): string | undefined {
  try {
    return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
  } catch (error) {
    requireMissing(error);
    return undefined;
  }
}

/**
 * Without /proc, the kernel reports nothing about mounts. An unreadable /proc is an error instead: treating it the same
 * way would make every mount count as plain content.
 */
function requireMissing(error: unknown): void {
  if (errnoOf(error) === 'ENOENT') return;
  throw new WorkspaceError('io', 'Nothing was changed, because the mounts in the workspace cannot be read', {
    operatorMessage: `Cannot read the mounts of this process: ${osReason(error)}`,
    cause: error,
  });
}
