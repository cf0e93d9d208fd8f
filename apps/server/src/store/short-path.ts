import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './store-error.ts';

/** Longest socket address without its final zero: 108 bytes on Linux and 104 elsewhere, minus one. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** A directory by a path short enough for a socket in it. */
export interface ShortPath {
  readonly path: string;
  /** Releases the directory. Close its users first: afterwards the path is invalid, or names another directory. */
  close(): void;
}

/**
 * Returns a path by which this process can reach sockets of up to `nameBytes` in a directory with a path of any length. On Linux it
 * uses a descriptor of the directory, so that no file in a shared temporary directory is needed. Other systems refuse a path
 * that is too long.
 *
 * @throws StoreError `base_unusable`
 */
export function shortPath(directory: string, nameBytes: number): ShortPath {
  const room = MAX_SOCKET_PATH_BYTES - nameBytes - 1;
  if (Buffer.byteLength(directory) <= room) return { path: directory, close: () => {} };
  if (process.platform !== 'linux')
    throw new StoreError(
      'base_unusable',
      `${directory} is too long for a socket on this system: choose a base directory whose path is at least ${Buffer.byteLength(directory) - room} bytes shorter (CROFT_BASE_DIR), or set DATABASE_URL.`,
    );
  const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: join('/proc/self/fd', String(fd)), close: () => closeSync(fd) };
}
