import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { WorkspaceError } from '../errors.ts';
import type { Located } from './located.ts';
import { O_NOFOLLOW, O_PATH } from './native.ts';

const APPEND = constants.O_WRONLY | constants.O_APPEND | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens the regular file at a located name for appending, not through a link. As for reading, the object is checked
 * before it is opened. The caller closes the descriptor and compares it with what was located.
 *
 * @throws WorkspaceError `not_regular`; Node's errors
 */
export function openForAppend(found: Located): number {
  if (found.dir.fd < 0) return openSync(found.at, APPEND | O_NOFOLLOW);
  const handle = openSync(found.at, O_PATH | O_NOFOLLOW);
  try {
    if (!fstatSync(handle).isFile())
      throw new WorkspaceError('not_regular', `Not a regular file: ${found.path.written}`);
    return openSync(`/proc/self/fd/${handle}`, APPEND);
  } finally {
    closeSync(handle);
  }
}
