import { createHmac, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, osReason, WorkspaceError } from './errors.ts';
import { makeDirs } from './make-dirs.ts';

export const PEPPER_SIZE_BYTES = 32;
export const NAMESPACE_HEX_LEN = 32;

/** Where the pepper is, and the base directory as the operator wrote it. */
interface PepperPlace {
  readonly pepperPath: string;
  readonly configured: string;
}

/**
 * `users/` and 32 hex digits of HMAC-SHA256(pepper, user): stable, and meaningless without the pepper. An empty user
 * gives an empty path.
 *
 * @throws WorkspaceError `invalid` for an empty pepper
 */
export function userNamespace(pepper: Uint8Array, userId: string): string {
  if (pepper.length === 0) throw new WorkspaceError('invalid', 'pepper must not be empty');
  if (userId === '') return '';
  return `users/${createHmac('sha256', pepper).update(userId, 'utf8').digest('hex').slice(0, NAMESPACE_HEX_LEN)}`;
}

/**
 * Reads the pepper, making it once: 32 random bytes, mode 0600, complete before it has its name, so that of two
 * processes that start together both read the same one. Longer peppers are used whole; shorter ones are refused, and so is
 * a missing one beside the namespaces of users.
 *
 * @throws WorkspaceError `unavailable`
 */
export function loadOrCreatePepper(path: string): Buffer {
  const known = readPepper(path);
  if (known) return known;
  requireNoNamespaces(path);
  makeDirs(dirname(path));
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeSync(fd, randomBytes(PEPPER_SIZE_BYTES));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    // Another process was first: its pepper counts.
    if (errnoOf(error) !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
  return readPepper(path) as Buffer;
}

/**
 * Refuses to go on without the pepper that existing namespaces were named with: a new one would give every user an empty
 * directory.
 *
 * @throws WorkspaceError `unavailable`
 */
export function requireNoNamespaces(path: string): undefined {
  const users = join(dirname(path), 'users');
  if (!namesIn(users).some(isNamespaceName)) return undefined;
  // Another process may have made the first of both.
  if (readPepper(path)) return undefined;
  const advice = 'Restore the file from a backup, or move the directory of namespaces away to start without them.';
  throw new WorkspaceError('unavailable', `pepper is missing, and users have files already. ${advice}`, {
    operatorMessage: `pepper at ${path} is missing, and ${users} has namespaces that were named with it. ${advice}`,
  });
}

export const isNamespaceName = (name: string): boolean => name.length === NAMESPACE_HEX_LEN && /^[0-9a-f]+$/.test(name);

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/** The pepper, or `undefined` while there is none. */
export function readPepper(path: string): Buffer | undefined {
  // A stat costs less than the error of a failed open, and servers without accounts have no pepper.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const bytes = fstatSync(fd).isFile() ? readFileSync(fd) : Buffer.alloc(0);
    if (bytes.length < PEPPER_SIZE_BYTES) {
      const tooShort = `is too short (${bytes.length} bytes); expected at least ${PEPPER_SIZE_BYTES}`;
      const advice = 'Check that CROFT_BASE_DIR is the right directory, or restore the file from a backup.';
      throw new WorkspaceError('unavailable', `pepper ${tooShort}. ${advice}`, {
        operatorMessage: `pepper at ${path} ${tooShort}. ${advice}`,
      });
    }
    return bytes;
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads the pepper with one of the two functions above. An error of the system says which setting to check.
 *
 * @throws WorkspaceError `unavailable`
 */
export function pepperOf<T extends Buffer | undefined>(config: PepperPlace, read: (path: string) => T): T {
  try {
    return read(config.pepperPath);
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    const reason = osReason(error);
    throw new WorkspaceError(
      'unavailable',
      `Cannot access pepper file: ${reason}. Check that CROFT_BASE_DIR points to a writable location.`,
      {
        operatorMessage: `Cannot access pepper file at ${config.pepperPath}: ${reason}. Check that CROFT_BASE_DIR (${config.configured}) points to a writable location.`,
        cause: error,
      },
    );
  }
}
