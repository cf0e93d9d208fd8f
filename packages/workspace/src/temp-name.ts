import { randomBytes } from 'node:crypto';
import { lstatSync, readlinkSync } from 'node:fs';

const PREFIX = '.croft-tmp-';
const NAME = /^\.croft-tmp-(\d+)-([0-9a-z]+)-([0-9a-f]{8})-[0-9a-f]{12}$/;
/** Another container's temporary file this old belongs to nobody: a write takes milliseconds. */
const FOREIGN_AGE_MS = 60 * 60 * 1000;

/** A name for a file that will be renamed into place in a moment: it tells whose it is, for the sweep. */
export function tempName(): string {
  return `${PREFIX}${process.pid}-${pidNamespace()}-${processToken()}-${randomBytes(6).toString('hex')}`;
}

export function isTempName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Whether the process that made this temporary file is gone, so that nobody will rename it any more. */
export function isAbandoned(name: string, at: string): boolean {
  const [, id, namespace, token] = NAME.exec(name) ?? [];
  if (id === undefined) return false;
  // Process ids mean nothing from one container to another.
  if (namespace !== pidNamespace())
    return Date.now() - (lstatSync(at, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > FOREIGN_AGE_MS;
  const pid = Number(id);
  // A restarted container gives its program the same id as before.
  if (pid === process.pid) return token !== processToken();
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

let namespace: string | undefined;

/** Which process ids are meant: on Linux the number of the pid namespace, in base 36. */
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

const TOKEN = Symbol.for('croft.process-token');

/** One per process, however many copies of this module it holds. */
function processToken(): string {
  const held = globalThis as { [TOKEN]?: string };
  held[TOKEN] ??= randomBytes(4).toString('hex');
  return held[TOKEN];
}
