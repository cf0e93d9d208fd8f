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

/** One kind of secret that lies in a file. */
export interface SecretKind {
  /** For messages: `key`, `token`. */
  readonly what: string;
  readonly pattern: RegExp;
  readonly make: () => string;
}

/**
 * Reads a secret, making it once, in a file only its owner may read. The file is complete before it has its name, so that
 * of two processes that start together both read the same secret.
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
    // Somebody may have copied it about: others' right to read it is taken back.
    if (process.platform !== 'win32' && (fstatSync(fd).mode & 0o077) !== 0) fchmodSync(fd, 0o600);
    const secret = readFileSync(fd, 'utf8').trim();
    if (!pattern.test(secret)) throw new Error(`${file} does not hold a ${what}; delete it to have a new one made`);
    return secret;
  } finally {
    closeSync(fd);
  }
}
