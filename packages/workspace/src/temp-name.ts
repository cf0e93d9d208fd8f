import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';

const PREFIX = '.croft-tmp-';
const NAME = /^\.croft-tmp-(\d+-[0-9a-z]+-[0-9a-f]{8})-[0-9a-f]{12}$/;
/** A temporary file of another container is abandoned after this time: a write takes milliseconds. */
const FOREIGN_AGE_MS = 60 * 60 * 1000;

/** Random bytes are drawn for many names at once: each draw costs as much as looking up a file. */
const NAME_BYTES = 6;
const DRAWN_BYTES = NAME_BYTES * 500;
let drawn = Buffer.alloc(0);
let used = 0;

/** A name for a file that is about to be renamed into place. It contains the process's name, for the sweep. */
export function tempName(): string {
  if (used === drawn.length) {
    drawn = randomBytes(DRAWN_BYTES);
    used = 0;
  }
  used += NAME_BYTES;
  return `${PREFIX}${processName()}-${drawn.toString('hex', used - NAME_BYTES, used)}`;
}

/** The name of the lock file of a directory, where `flock` is not available. Hidden like a temporary file. */
export const LOCK_NAME = `${PREFIX}lock`;

export function isTempName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Whether the process that made this temporary file is gone, so that it will not rename the file any more. */
export function isAbandoned(name: string, at: string): boolean {
  const owner = NAME.exec(name)?.[1];
  return owner !== undefined && isProcessGone(owner, () => lstatSync(at, { throwIfNoEntry: false })?.mtimeMs);
}

/** Names this process: its id, the namespace of process ids, and when it started. */
export function processName(): string {
  return `${process.pid}-${pidNamespace()}-${PROCESS_TOKEN}`;
}

/**
 * Whether the process of a {@link processName} is gone.
 *
 * @param lastSeenMs when it was last active, in epoch milliseconds: a process of another container counts as gone after
 *   an hour
 */
export function isProcessGone(name: string, lastSeenMs: () => number | undefined): boolean {
  const [id, namespace, token] = name.split('-');
  // Process ids mean nothing from one container to another.
  if (namespace !== pidNamespace()) return Date.now() - (lastSeenMs() ?? Date.now()) > FOREIGN_AGE_MS;
  const pid = Number(id);
  // A restarted container gives its program the same id as before.
  if (pid === process.pid) return token !== PROCESS_TOKEN;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

let namespace: string | undefined;

/** The namespace of process ids: on Linux the number of the pid namespace, in base 36; `0` if it is not readable. */
function pidNamespace(): string {
  namespace ??= readNamespace();
  return namespace;
}

function readNamespace(): string {
  try {
    return Number(/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]).toString(36);
  } catch {
    return '0';
  }
}

/**
 * When this process started, in clock ticks since the system did: tells it from an earlier one with its id, and is the
 * same in all its threads. Read at once, because Landlock may forbid it later. Source: proc_pid_stat(5), field 22.
 */
const PROCESS_TOKEN = readStart();

function readStart(): string {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // The second field is the program's name, which may hold spaces and parentheses.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return Number(ticks).toString(16).padStart(8, '0').slice(-8);
  } catch {
    // Elsewhere a process id is not given out again soon.
    return '00000000';
  }
}
