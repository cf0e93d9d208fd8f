import { mkdirSync } from 'node:fs';
import { type Enclosure, placeName, requireWritable } from '../enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import { type Located, locateThen } from '../resolve/locate.ts';
import { withLock } from '../resolve/lock.ts';
import { Unsettled } from '../resolve/settle.ts';
import type { Change } from './change.ts';
import { type CallOptions, forCall } from './for-call.ts';
import { recorded } from './journal.ts';
import { madeChanges } from './made-changes.ts';

/**
 * Makes a directory and its missing parents. Succeeds if the directory exists.
 *
 * @throws WorkspaceError `exists` when something else has the name, `busy`, `io`, `read_only`, and those of `locate`
 */
export function createDir(
  workspace: Enclosure,
  path: string,
  options: Pick<CallOptions, 'journal'> = {},
): { created: boolean; changes: readonly Change[] } {
  const enclosure = forCall(workspace, options);
  requireWritable(enclosure);
  return locateThen(enclosure, path, { makeParents: true }, (found) => {
    try {
      const changes = madeChanges(enclosure, found);
      if (found.stat) {
        if (found.stat.isDirectory()) return { created: false, changes };
        throw taken(path);
      }
      found.dir.verify();
      changes.push({ kind: 'mkdir', path: placeName(enclosure, found.path, found.parts) });
      withLock(enclosure.root, [found], () => recorded(enclosure, changes, () => makeOne(found)));
      found.dir.verify();
      return { created: true, changes };
    } catch (error) {
      found.unmake();
      throw error;
    } finally {
      found.close();
    }
  });
}

function makeOne(found: Located): void {
  try {
    mkdirSync(found.at, 0o755);
  } catch (error) {
    // EEXIST: lost a race. Retry to find out whether it is a directory or a link.
    if (errnoOf(error) === 'EEXIST') throw new Unsettled(taken(found.path.written));
    throw new WorkspaceError('io', `Cannot create directory: ${osReason(error)}`, { cause: error });
  }
}

function taken(path: string): WorkspaceError {
  return new WorkspaceError('exists', `A file exists at this path: ${path}`);
}
