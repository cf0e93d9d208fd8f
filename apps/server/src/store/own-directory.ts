import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { StoreError } from './store-error.ts';

/**
 * Creates a directory of this account with exactly these rights. An existing one must be a directory, not a link, and must belong
 * to this account: root works in it, and another user's directory could redirect root.
 *
 * @throws StoreError `base_unusable`, or the system's error
 */
export function ownDirectory(path: string, mode: number): void {
  mkdirSync(path, { recursive: true, mode });
  const stats = lstatSync(path);
  if (!stats.isDirectory())
    throw new StoreError('base_unusable', `${path} is not a directory: remove it, or choose another CROFT_BASE_DIR.`);
  if (stats.uid !== process.getuid?.())
    throw new StoreError(
      'base_unusable',
      `${path} belongs to user ${stats.uid}: start Croft as that user, make it this user's (chown), or choose another base directory with CROFT_BASE_DIR.`,
    );
  if ((stats.mode & 0o777) !== mode) chmodSync(path, mode);
}
