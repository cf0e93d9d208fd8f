import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeDirs } from '@croft/workspace';

/** One kind of secret that is stored in a file. */
export interface SecretKind {
  /** For messages: `key`, `token`. */
  readonly what: string;
  readonly pattern: RegExp;
  readonly make: () => string;
}

/**
 * Reads a secret from a file that only its owner may read, and creates it on first use. The file is complete before it
 * gets its name, so that two processes that start together read the same secret.
 *
 * @throws Error when the file cannot be read or made, or does not hold such a secret
 */
export function loadOrCreateSecret(file: string, kind: SecretKind): string {
  const known = readSecret(file, kind);
  if (known !== undefined) return known;
  makeDirs(dirname(file));
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(temporary, `${kind.make()}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(temporary, file);
  } catch (error) {
    // Another process was first: its secret counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
  return readSecret(file, kind) as string;
}

function readSecret(file: string, { what, pattern }: SecretKind): string | undefined {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    // The file may have been copied with other permissions: revoke read access of other accounts.
    if (process.platform !== 'win32' && (fstatSync(fd).mode & 0o077) !== 0) fchmodSync(fd, 0o600);
    const secret = readFileSync(fd, 'utf8').trim();
    if (!pattern.test(secret)) throw new Error(`${file} does not hold a ${what}; delete it to have a new one made`);
    return secret;
  } finally {
    closeSync(fd);
  }
}
