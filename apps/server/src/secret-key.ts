import { createHmac, randomBytes } from 'node:crypto';
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
import { join } from 'node:path';
import { makeDirs } from '@croft/workspace';

const KEY_BYTES = 32;

/**
 * The secret that signs sessions: the configured one, or that of `<base>/secret-key`, made once with mode 0600. The
 * file has its name only when it is complete, so that of two processes that start together both read the same key. A
 * new key signs everybody out and does no other harm.
 *
 * @throws Error when the file cannot be read or made, or holds no key
 */
export function loadOrCreateSecretKey(baseDir: string, configured: string | undefined): string {
  if (configured !== undefined) return configured;
  const file = join(baseDir, 'secret-key');
  const known = readKey(file);
  if (known !== undefined) return known;
  makeDirs(baseDir);
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(temporary, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, {
    flag: 'wx',
    mode: 0o600,
    flush: true,
  });
  try {
    linkSync(temporary, file);
  } catch (error) {
    // Another process was first: its key counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
  return readKey(file) as string;
}

/** A key for one purpose: what is signed for one is worth nothing for another. */
export function deriveKey(secretKey: string, purpose: string): string {
  return createHmac('sha256', secretKey).update(`croft ${purpose}`).digest('base64url');
}

function readKey(file: string): string | undefined {
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
    const key = readFileSync(fd, 'utf8').trim();
    if (!/^[\w-]{40,}$/.test(key)) throw new Error(`${file} does not hold a key; delete it to have a new one made`);
    return key;
  } finally {
    closeSync(fd);
  }
}
