import { mkdirSync } from 'node:fs';
import { type Enclosure, placeName, requireWritable } from '../enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import { locate } from '../resolve/locate.ts';
import { type Change, madeChanges } from './change.ts';

/**
 * Makes a directory and its missing parents. One that is there already is fine.
 *
 * @throws WorkspaceError `exists` when something else has the name, `io`, `read_only`, and those of `locate`
 */
export function createDir(enclosure: Enclosure, path: string): { created: boolean; changes: readonly Change[] } {
  requireWritable(enclosure);
  const found = locate(enclosure, path, { makeParents: true });
  try {
    const changes = madeChanges(enclosure, found);
    if (found.stat) {
      if (found.stat.isDirectory()) return { created: false, changes };
      throw new WorkspaceError('exists', `A file exists at this path: ${path}`);
    }
    found.dir.verify();
    try {
      mkdirSync(found.at, 0o755);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return { created: false, changes };
      throw new WorkspaceError('io', `Cannot create directory: ${osReason(error)}`, { cause: error });
    }
    found.dir.verify();
    return { created: true, changes: [...changes, { kind: 'mkdir', path: placeName(enclosure, found.path, found.parts) }] };
  } catch (error) {
    found.unmake();
    throw error;
  } finally {
    found.close();
  }
}
