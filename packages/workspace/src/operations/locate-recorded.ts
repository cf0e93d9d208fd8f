import type { Enclosure } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { type Located, type LocateOptions, locate } from '../resolve/locate.ts';
import { NothingThere } from '../resolve/walk.ts';

/**
 * {@link locate} for a path out of a record, which is a real path: where a directory on the way has become a link
 * since, the record speaks of another place. Nothing is made before that is known.
 *
 * @throws WorkspaceError `changed` when a link was met on the way, and those of `locate`
 */
export function locateRecorded(enclosure: Enclosure, path: string, options: LocateOptions): Located {
  if (options.makeParents) {
    try {
      locateRecorded(enclosure, path, { ...options, makeParents: false }).close();
    } catch (error) {
      if (!(error instanceof NothingThere)) throw error;
    }
  }
  const found = locateOrSay(enclosure, path, options);
  try {
    requireReal(path, found);
    return found;
  } catch (error) {
    found.close();
    found.unmake();
    throw error;
  }
}

/** Where the parents are missing too, it is known all the same where the path would have led. */
function locateOrSay(enclosure: Enclosure, path: string, options: LocateOptions): Located {
  try {
    return locate(enclosure, path, options);
  } catch (error) {
    if (error instanceof NothingThere) requireReal(path, error);
    throw error;
  }
}

function requireReal(
  path: string,
  { path: checked, parts }: { path: { parts: readonly string[] }; parts: readonly string[] },
): void {
  if (parts.join('/') !== checked.parts.join('/')) throw new WorkspaceError('changed', `${path} was changed since`);
}
