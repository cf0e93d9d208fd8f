import type { Enclosure } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { type Located, type LocateOptions, locateOrNothing, NothingThere } from '../resolve/locate.ts';

/**
 * `locate` for a path out of a record, which is a real path: where a directory on the way has become a link
 * since, the record speaks of another place. Nothing is made before that is known.
 *
 * @throws WorkspaceError `changed` when a link was met on the way, and those of `locate`
 */
export function locateRecorded(enclosure: Enclosure, path: string, options: LocateOptions): Located {
  if (options.makeParents) {
    const before = locateReal(enclosure, path, { ...options, makeParents: false });
    if (!(before instanceof NothingThere)) before.close();
  }
  const found = locateReal(enclosure, path, options);
  if (found instanceof NothingThere) throw found.refusal();
  return found;
}

/** Where the parents are missing too, it is known all the same where the path would have led. */
function locateReal(enclosure: Enclosure, path: string, options: LocateOptions): Located | NothingThere {
  const found = locateOrNothing(enclosure, path, options);
  if (found.parts.join('/') === found.path.parts.join('/')) return found;
  if (!(found instanceof NothingThere)) {
    found.close();
    found.unmake();
  }
  throw new WorkspaceError('changed', `${path} was changed since`);
}
