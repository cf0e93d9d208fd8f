import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Enclosure } from '../enclosure.ts';
import { osReason, WorkspaceError } from '../errors.ts';
import { locateOrNothing, NothingThere } from '../resolve/locate.ts';
import { versionOf } from '../text/version.ts';
import type { Change } from './change.ts';
import type { FileBytes } from './read-whole.ts';
import { readAllSync } from './read-file.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * Reads the file that a recorded change replaced or removed, from the trash. Refuses a path that the caller could not read in the
 * workspace. Synchronous, so keep `maxBytes` small.
 *
 * @throws WorkspaceError `not_found` if it is not kept any more, `not_regular`, `too_large` above `maxBytes`, `io`, and those of
 *   `locate`
 */
export function readKept(
  enclosure: Enclosure,
  { path, trash }: Pick<Change, 'path' | 'trash'>,
  { maxBytes }: { readonly maxBytes: number },
): FileBytes {
  const place = locateOrNothing(enclosure, path, { leaf: 'keep' });
  if (!(place instanceof NothingThere)) place.close();
  const kept = trash === undefined ? undefined : enclosure.trash?.find(trash);
  if (kept === undefined) throw new WorkspaceError('not_found', `The old content of ${path} was not kept`);
  let fd: number | undefined;
  try {
    fd = openSync(kept, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new WorkspaceError('not_regular', `Not a regular file: ${path}`);
    if (stat.size > maxBytes)
      throw new WorkspaceError('too_large', `File size ${stat.size} exceeds limit of ${maxBytes} bytes`);
    return { bytes: readAllSync(fd, stat.size), version: versionOf(stat) };
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    throw new WorkspaceError('io', `Cannot read the old content of ${path}: ${osReason(error)}`, { cause: error });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
