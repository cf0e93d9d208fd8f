import { openSync } from 'node:fs';
import { type Enclosure, escapes } from '../enclosure.ts';
import { errnoOf, WorkspaceError } from '../errors.ts';
import { type Dir, descriptorDir, pathDir } from './dir.ts';
import { locateThen } from './locate.ts';
import { LIST } from './native.ts';
import { Unsettled } from './settle.ts';

/** A directory held open for listing, and its real place. */
export interface OpenDirectory {
  readonly dir: Dir;
  readonly parts: readonly string[];
}

/**
 * Opens a directory for listing. The holder closes `dir`.
 *
 * @throws WorkspaceError `not_found`, `not_directory`, and those of `locate`
 */
export function openDirectory(enclosure: Enclosure, path: string): OpenDirectory {
  return locateThen(enclosure, path, {}, (found) => {
    const written = path === '' ? '.' : path;
    if (!found.stat) throw new WorkspaceError('not_found', `Directory not found: ${written}`);
    if (!found.stat.isDirectory()) throw new WorkspaceError('not_directory', `Not a directory: ${written}`);
    let dir: Dir;
    try {
      dir =
        found.dir.fd >= 0
          ? descriptorDir(openSync(found.at, LIST))
          : pathDir(found.name === '.' ? found.dir.self : found.at);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'ENOTDIR' || errno === 'ELOOP') throw new Unsettled(escapes(written, 'link_outside'));
      throw error;
    }
    found.close();
    return { dir, parts: found.parts };
  });
}
