import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The directory for temporary files that every mode lets agents write to. A client's `TMPDIR` should name it. */
export function privateTemporary(baseDir: string): string {
  return join(baseDir, 'tmp');
}

/**
 * Creates a private temporary directory if it is missing (mode 0700).
 *
 * @returns whether it is usable: a directory, not a link, owned by this user, closed to other users. Windows has no
 * such modes, so there only the file type is checked.
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
