import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The directory for temporary files that every mode lets agents write to. A client's `TMPDIR` should name it. */
export function privateTemporary(baseDir: string): string {
  return join(baseDir, 'tmp');
}

/**
 * Makes a private temporary directory if it is missing (mode 0700).
 *
 * @returns whether it can be used: a directory, not a link, that belongs to this user and that no other user can enter.
 *   Windows has no such modes; there only its kind is looked at.
 */
export function makePrivateTemporary(dir: string): boolean {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const stat = lstatSync(dir);
    if (process.getuid === undefined) return stat.isDirectory();
    return stat.isDirectory() && stat.uid === process.getuid() && (stat.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
