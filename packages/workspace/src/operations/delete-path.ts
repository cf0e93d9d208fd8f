import { lstatSync, type Stats, unlinkSync } from 'node:fs';
import { isBaseAt } from '../base-directory.ts';
import { type Enclosure, escapes, placeName, requireWritable } from '../enclosure.ts';
import { removeTree } from '../copy-remove.ts';
import { deniedName } from '../deny-list.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import { quoted, reservedSegment } from '../names.ts';
import { sameFile } from '../resolve/dir.ts';
import { type Located, locate } from '../resolve/locate.ts';
import { withLock } from '../resolve/lock.ts';
import { settle, Unsettled } from '../resolve/settle.ts';
import { isTempName } from '../temp-name.ts';
import { versionOf } from '../text/version.ts';
import { visitTree } from '../visit-tree.ts';
import type { Change } from './change.ts';
import { locateRecorded } from './locate-recorded.ts';
import { requireMovable } from './move-path.ts';
import { isCurrent } from './outdated.ts';
import { requireVersion } from './write-file.ts';

/** What was deleted. `undoable` tells whether the content was kept. */
export interface DeleteOutcome {
  readonly type: 'file' | 'directory' | 'link';
  readonly entries: number;
  readonly undoable: boolean;
  readonly changes: readonly Change[];
}

export interface DeleteOptions {
  /** Needed for a directory that is not empty. */
  readonly recursive?: boolean;
  readonly expectedVersion?: string | undefined;
  /** The path is out of a record: see {@link locateRecorded}. */
  readonly isRecorded?: boolean;
}

/**
 * Deletes a file, a link (the link itself) or a directory. What was there goes to the trash when there is one.
 *
 * @throws WorkspaceError `not_found`, `not_empty`, `denied` (a protected name inside), `mounted`, `changed`, `busy`,
 *   `too_large`, `io`, `read_only`, and those of `locate`
 */
export async function deletePath(
  enclosure: Enclosure,
  path: string,
  options: DeleteOptions = {},
): Promise<DeleteOutcome> {
  requireWritable(enclosure);
  let first: Stats | undefined;
  // Where another thing has taken the name since it was looked at, what was there may come back in a moment.
  return settle(() => {
    const found = (options.isRecorded ? locateRecorded : locate)(enclosure, path, { leaf: 'keep', forChange: true });
    try {
      const { stat } = found;
      if (!stat) throw new WorkspaceError('not_found', `File not found: ${path}`);
      first ??= stat;
      if (!sameFile(first, stat)) throw exchanged(path);
      return deleteFound(enclosure, found, stat, options);
    } catch (error) {
      throw deleteFailure(error, path);
    } finally {
      found.close();
    }
  });
}

function deleteFound(enclosure: Enclosure, found: Located, stat: Stats, options: DeleteOptions): DeleteOutcome {
  requireMovable(enclosure, found);
  requireVersion(found, options.expectedVersion);
  const content = stat.isDirectory()
    ? inspect(enclosure, found, options.recursive ?? false)
    : { bytes: stat.size, entries: 0 };
  const trash = withLock(enclosure.root, [found], () => {
    if (!isCurrent(enclosure.root, found)) throw exchanged(found.path.written);
    return remove(enclosure, found, stat, content.bytes);
  });
  found.dir.verify();
  const change: Change = {
    kind: 'delete',
    path: placeName(enclosure, found.path, found.parts),
    bytes: content.bytes,
    ...(stat.isFile() && { before: versionOf(stat) }),
    ...(trash !== undefined && { trash }),
  };
  const type = stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'link' : 'file';
  return { type, entries: content.entries, undoable: trash !== undefined, changes: [change] };
}

function exchanged(path: string): Unsettled {
  return new Unsettled(
    new WorkspaceError('changed', `Something else has taken the place of ${path}; look at it again`),
  );
}

function deleteFailure(error: unknown, path: string): unknown {
  if (error instanceof WorkspaceError || error instanceof Unsettled) return error;
  switch (errnoOf(error)) {
    case 'ENOENT':
      return new WorkspaceError('not_found', `File not found: ${path}`);
    // A link or a file where a directory was, or the other way round.
    case 'ENOTDIR':
    case 'ELOOP':
    case 'EISDIR':
      return exchanged(path);
    default:
      return new WorkspaceError('io', `Cannot delete: ${osReason(error)}`, { cause: error });
  }
}

/** @returns the trash id, or `undefined` when the content is gone for good */
function remove(enclosure: Enclosure, found: Located, stat: Stats, bytes: number): string | undefined {
  const kept = enclosure.trash?.take(found.at, bytes);
  if (kept !== undefined) return kept;
  if (stat.isDirectory()) removeTree(found.at);
  else unlinkSync(found.at);
  return undefined;
}

/** What a directory holds. An agent may not do to a protected file by its directory what it may not do directly. */
function inspect(enclosure: Enclosure, found: Located, recursive: boolean): { bytes: number; entries: number } {
  const total = { bytes: 0, entries: 0 };
  const written = found.path.written;
  const { denyList } = enclosure;
  const { tooDeep } = visitTree(
    found.at,
    { maxDepth: enclosure.limits.maxDepth, denyList: false, showReserved: true },
    (entry) => {
      if (!recursive) {
        throw new WorkspaceError(
          'not_empty',
          `Directory is not empty: ${written}. Pass recursive=true to delete it with its content.`,
        );
      }
      if ((reservedSegment(entry.name) && !isTempName(entry.name)) || (denyList && deniedName(entry.name, denyList))) {
        throw new WorkspaceError(
          'denied',
          `Refusing to delete ${written}: it contains protected ${quoted(entry.name)}`,
        );
      }
      if (entry.type === 'directory' && isBaseAt(enclosure.base, entry.at)) throw escapes(written);
      if (++total.entries > enclosure.limits.maxTreeEntries) {
        throw new WorkspaceError(
          'too_large',
          `Directory has more than ${enclosure.limits.maxTreeEntries} entries: ${written}`,
        );
      }
      if (entry.type === 'file') total.bytes += lstatSync(entry.at, { throwIfNoEntry: false })?.size ?? 0;
    },
  );
  // What lies deeper was not looked at, and might be protected.
  if (tooDeep) {
    throw new WorkspaceError(
      'too_large',
      `Directory is nested more than ${enclosure.limits.maxDepth} levels: ${written}. Delete an inner directory first.`,
    );
  }
  return total;
}
