import { type Enclosure, placeName } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { locate } from '../resolve/locate.ts';
import { versionOf } from '../text/version.ts';
import type { EntryType } from '../visit-tree.ts';

/** What is known of one place without reading it. Times are ISO 8601, UTC. */
export interface FileInfo {
  readonly type: EntryType;
  readonly sizeBytes: number;
  readonly modified: string;
  readonly created: string;
  /** Permission bits, octal, e.g. `644`. */
  readonly mode: string;
  /** How many names the file has; writing is refused above one. */
  readonly links: number;
  readonly version: string;
  /** Where it really lies below the workspace (`restrict: false`: or absolute), when a link led there. */
  readonly realPath?: string;
}

/** @throws WorkspaceError `not_found`, and those of `locate` */
export function fileInfo(enclosure: Enclosure, path: string): FileInfo {
  const found = locate(enclosure, path);
  try {
    const { stat } = found;
    if (!stat) throw new WorkspaceError('not_found', `File not found: ${path}`);
    const type: EntryType = stat.isFile()
      ? 'file'
      : stat.isDirectory()
        ? 'directory'
        : stat.isSymbolicLink()
          ? 'link'
          : 'other';
    const linked = found.parts !== found.path.parts && found.parts.join('/') !== found.path.parts.join('/');
    return {
      type,
      sizeBytes: stat.size,
      modified: stat.mtime.toISOString(),
      created: stat.birthtime.toISOString(),
      mode: (stat.mode & 0o777).toString(8),
      links: stat.nlink,
      version: versionOf(stat),
      ...(linked && { realPath: placeName(enclosure, found.path, found.parts) || '.' }),
    };
  } finally {
    found.close();
  }
}
