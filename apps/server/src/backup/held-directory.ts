import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { BackupError } from './backup-error.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
const HAS_DESCRIPTOR_PATHS = process.platform === 'linux';
/** Linux refuses longer paths. */
export const MAX_PATH_BYTES = 4_095;

/** An open directory. Names in it are reached by its descriptor on Linux, and by its path elsewhere. */
export interface HeldDirectory {
  readonly fd: number;
  /** Valid while it is open. */
  readonly at: Buffer;
  /** The path from which it was opened; `undefined` where it is too long to be used. */
  readonly path: Buffer | undefined;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Opens a directory by its path, which may be a symlink. */
export const holdDirectory = (path: string): HeldDirectory =>
  held(openSync(path, O_RDONLY | O_DIRECTORY), Buffer.from(path));

/** Opens a directory by its name in an open one, and closes that one. */
export function holdBelow(parent: HeldDirectory, name: Buffer): HeldDirectory {
  const fd = openSync(below(parent.at, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  closeSync(parent.fd);
  return held(fd, parent.path && below(parent.path, name));
}

/**
 * Opens the parent of an open directory again, and closes that one: a tree can be nested more deeply than a process may have
 * open files.
 *
 * @throws BackupError `unreadable` where it has another parent now
 */
export function holdAbove(child: HeldDirectory, parent: HeldDirectory): HeldDirectory {
  const way = HAS_DESCRIPTOR_PATHS ? below(child.at, Buffer.from('..')) : (parent.path as Buffer);
  const again = held(openSync(way, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), parent.path);
  closeSync(child.fd);
  if (again.dev === parent.dev && again.ino === parent.ino) return again;
  closeSync(again.fd);
  throw new BackupError('unreadable', 'A directory was moved while it was copied. Stop the programs that write there.');
}

function held(fd: number, path: Buffer | undefined): HeldDirectory {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  if (!HAS_DESCRIPTOR_PATHS) return { fd, at: path as Buffer, path, dev, ino };
  const usable = path !== undefined && path.length <= MAX_PATH_BYTES ? path : undefined;
  return { fd, at: Buffer.from(`/proc/self/fd/${fd}`), path: usable, dev, ino };
}

/** The path of a name in a directory. */
export const below = (directory: Buffer, name: Buffer): Buffer =>
  directory.length === 0 ? name : Buffer.concat([directory, Buffer.from('/'), name]);
