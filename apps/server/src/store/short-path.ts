import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './store-error.ts';

/** What a socket's address holds, its closing zero apart: 108 bytes on Linux, 104 elsewhere. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** A directory by a path short enough for a socket in it. */
export interface ShortPath {
  readonly path: string;
  /** Lets go of the directory. The path means nothing afterwards, or another directory: close what uses it first. */
  close(): void;
}

/**
 * A path by which this process can reach sockets of up to `nameBytes` in a directory, however long the directory's own
 * path is. Linux: through a descriptor of the directory, so that nothing has to stand in a shared temporary directory.
 * Elsewhere a path that is too long is refused.
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
