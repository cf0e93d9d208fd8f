import { type Enclosure, placeName } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { locate } from '../resolve/locate.ts';
import { versionOf } from '../text/version.ts';
import type { EntryType } from '../visit-tree.ts';
import { inBulk } from './in-bulk.ts';
import { treeDigest } from './tree-digest.ts';

/** The metadata of one place. Times are ISO 8601, UTC. */
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
  /** The real path below the workspace (`restrict: false`: or absolute), if a link led there. */
  readonly realPath?: string;
}

/**
 * @param options.itself describe a link in the last place, and not its target
 * @throws WorkspaceError `not_found`, and those of `locate`
 */
export function fileInfo(enclosure: Enclosure, path: string, options: { itself?: boolean } = {}): FileInfo {
  const found = locate(enclosure, path, { leaf: options.itself ? 'keep' : 'follow' });
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

/**
 * A token of what a directory holds, which changes with anything in it; in slices. A link in the last place is not
 * followed.
 *
 * @returns `undefined` for anything but a directory, and where it holds more than the limits allow to look at
 * @throws WorkspaceError `cancelled`, and those of `locate`
 */
export async function directoryDigest(
  enclosure: Enclosure,
  path: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  return inBulk(enclosure, options.signal, async (pace) => {
    const found = locate(enclosure, path, { leaf: 'keep' });
    try {
      return found.stat?.isDirectory() ? await treeDigest(found.at, enclosure.limits, pace) : undefined;
    } finally {
      found.close();
    }
  });
}
