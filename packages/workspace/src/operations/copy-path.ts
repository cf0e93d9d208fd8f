import { isBaseAt } from '../base-directory.ts';
import { type Enclosure, hostPath, isMasked, requireWritable } from '../enclosure.ts';
import { copyRegular, copyTree, type TreeCopy } from '../copy-remove.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import { type Located, locate } from '../resolve/locate.ts';
import { type VisitedEntry, visitTree } from '../visit-tree.ts';
import { lstatSync } from 'node:fs';
import type { Change } from './change.ts';
import { requireFree } from './move-path.ts';
import { placeEntry } from './replace.ts';
import { treeDigest } from './tree-digest.ts';

/** What a copy made, and how many links, special or protected entries it left out. */
export interface CopyOutcome {
  readonly files: number;
  readonly directories: number;
  readonly bytes: number;
  readonly skipped: number;
  readonly changes: readonly Change[];
}

/**
 * Copies a file or a whole directory to a name that must not exist, making missing parents. A link is copied as what
 * it leads to; inside a directory, links are left out. A copy that fails half-way is removed again.
 *
 * @throws WorkspaceError `not_found`, `exists`, `invalid` (into itself), `too_large`, `quota`, `io`, `read_only`
 */
export async function copyPath(enclosure: Enclosure, source: string, destination: string): Promise<CopyOutcome> {
  requireWritable(enclosure);
  const from = locate(enclosure, source);
  try {
    if (!from.stat) throw new WorkspaceError('not_found', `File not found: ${source}`);
    const isDirectory = from.stat.isDirectory();
    if (!isDirectory && !from.stat.isFile()) throw new WorkspaceError('not_regular', `Not a regular file: ${source}`);
    const size = isDirectory ? measure(enclosure, from) : { bytes: from.stat.size, files: 1 };
    const place = locate(enclosure, destination, { leaf: 'keep', makeParents: true });
    try {
      const to = requireFree(place);
      if (isDirectory) requireApart(from, to);
      enclosure.quota?.reserve(enclosure.root.dir, size.bytes, size.files);
      from.dir.verify();
      to.dir.verify();
      const made = isDirectory ? copyDirectory(enclosure, from, to) : copyOne(enclosure, from, to);
      to.dir.verify();
      return made;
    } catch (error) {
      place.unmake();
      throw error;
    } finally {
      place.close();
    }
  } finally {
    from.close();
  }
}

/** Under a temporary name first, so that nobody sees a part of it under its own. */
function copyOne(enclosure: Enclosure, from: Located, to: Located): CopyOutcome {
  try {
    const { changes } = placeEntry(enclosure, to, (at) => copyRegular(from.at, at).made);
    return { files: 1, directories: 0, bytes: changes.at(-1)?.bytes ?? 0, skipped: 0, changes };
  } catch (error) {
    throw copyFailure(error, from, to);
  }
}

function copyDirectory(enclosure: Enclosure, from: Located, to: Located): CopyOutcome {
  const masked = (below: string, entry: VisitedEntry) =>
    isMasked(enclosure, hostPath(from.path.root, [...from.parts, ...below.split('/')])) ||
    (entry.type === 'directory' && isBaseAt(enclosure.base, entry.at));
  const options = { denyList: enclosure.denyList, leaveOut: enclosure.masks.length > 0 ? masked : undefined };
  let done: TreeCopy | undefined;
  let tree: string | undefined;
  try {
    const { changes } = placeEntry(enclosure, to, (at) => {
      done = copyTree(from.at, at, options);
      // Of the copy while it has no name yet: nobody else's file can be in it.
      tree = treeDigest(at, enclosure.limits);
      return lstatSync(at);
    });
    const made = changes.map((change) =>
      change.kind === 'create' && tree !== undefined ? { ...change, tree } : change,
    );
    return { ...(done as TreeCopy), changes: made };
  } catch (error) {
    throw copyFailure(error, from, to);
  }
}

function measure(enclosure: Enclosure, from: Located): { bytes: number; files: number } {
  const total = { bytes: 0, files: 0 };
  let entries = 0;
  visitTree(from.at, { maxDepth: enclosure.limits.maxDepth, denyList: enclosure.denyList }, (entry) => {
    if (++entries > enclosure.limits.maxTreeEntries) {
      throw new WorkspaceError(
        'too_large',
        `Directory has more than ${enclosure.limits.maxTreeEntries} entries: ${from.path.written}`,
      );
    }
    if (entry.type !== 'file') return;
    total.files++;
    total.bytes += lstatSync(entry.at, { throwIfNoEntry: false })?.size ?? 0;
  });
  return total;
}

function requireApart(from: Located, to: Located): void {
  if (from.parts.every((part, i) => to.parts[i] === part)) {
    throw new WorkspaceError('invalid', `Cannot copy a directory into itself: ${from.path.written}`);
  }
}

function copyFailure(error: unknown, from: Located, to: Located): unknown {
  if (error instanceof WorkspaceError && error.code !== 'exists') return error;
  switch (error instanceof WorkspaceError ? 'EEXIST' : errnoOf(error)) {
    case 'EEXIST':
    case 'ENOTEMPTY':
      return new WorkspaceError('exists', `Destination already exists: ${to.path.written}`);
    case 'ENOENT':
    case 'ELOOP':
    case 'ENOTDIR':
      return new WorkspaceError('not_found', `File not found: ${from.path.written}`);
    default:
      return new WorkspaceError('io', `Cannot copy: ${osReason(error)}`, { cause: error });
  }
}
