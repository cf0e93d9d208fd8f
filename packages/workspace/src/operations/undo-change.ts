import { lstatSync, renameSync, rmdirSync, type Stats } from 'node:fs';
import { removeEntry } from '../copy-remove.ts';
import { type Enclosure, requireWritable } from '../enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import type { Located } from '../resolve/locate.ts';
import { withLock } from '../resolve/lock.ts';
import { tempName } from '../temp-name.ts';
import { isSameButMoved, versionOf } from '../text/version.ts';
import { copyAcross } from '../trash.ts';
import { type Change, madeChanges } from './change.ts';
import { deletePath } from './delete-path.ts';
import { exchangeFor, type Temp } from './exchange.ts';
import { locateRecorded } from './locate-recorded.ts';
import { movePath } from './move-path.ts';
import { lookAgain, Outdated } from './outdated.ts';
import { readBytesSync } from './read-file.ts';
import { replaceFile } from './replace.ts';
import { EMPTY_TREE, treeDigest } from './tree-digest.ts';
import { requireReplaceable } from './write-file.ts';

/**
 * Takes one recorded change back, through the same door as the change itself. Refuses when the place is no longer as
 * the change left it, so that nobody's later work is lost, or when a link now leads there: an operator's undo may go
 * where an agent may not, and must not be sent there by it. What it removes goes to the trash again.
 *
 * @throws WorkspaceError `changed`, `not_found` (nothing kept), `exists`, `not_empty`, and those of `locate`
 */
export async function undoChange(enclosure: Enclosure, change: Change): Promise<{ changes: readonly Change[] }> {
  requireWritable(enclosure);
  switch (change.kind) {
    case 'create':
      if (change.after === undefined) requireSameTree(enclosure, change);
      // A directory has no version: its content is taken away only when it is kept.
      return deletePath(enclosure, change.path, {
        recursive: enclosure.trash !== undefined,
        expectedVersion: asItIsNow(enclosure, change.path, change.after),
        isRecorded: true,
      });
    case 'mkdir':
      return removeEmpty(enclosure, change);
    case 'move':
      return movePath(enclosure, change.to as string, change.path, {
        expectedVersion: asItIsNow(enclosure, change.to as string, change.after),
        isRecorded: true,
      });
    case 'update':
    case 'delete':
      return putBack(enclosure, change);
    case 'append':
      return cutOff(enclosure, change);
  }
}

/** @throws WorkspaceError `changed` when a directory no longer holds what came with it, or that is not known */
function requireSameTree(enclosure: Enclosure, change: Change): void {
  const found = locateRecorded(enclosure, change.path, { leaf: 'keep' });
  try {
    const { stat } = found;
    // A link that was put back has neither version nor content.
    if (!stat || (stat.isSymbolicLink() && change.tree === undefined)) return;
    const now = stat.isDirectory() ? treeDigest(found.at, enclosure.limits) : undefined;
    if (now === undefined || now !== (change.tree ?? EMPTY_TREE))
      throw new WorkspaceError('changed', `${change.path} was changed since`);
  } finally {
    found.close();
  }
}

/** The version to expect: a file that came back from a trash on another device has another inode, and its old time. */
function asItIsNow(enclosure: Enclosure, path: string, recorded: string | undefined): string | undefined {
  if (recorded === undefined) return undefined;
  const found = locateRecorded(enclosure, path, { leaf: 'keep' });
  found.close();
  const now = found.stat?.isFile() ? versionOf(found.stat) : recorded;
  return isSameButMoved(now, recorded) ? now : recorded;
}

function removeEmpty(enclosure: Enclosure, change: Change): { changes: readonly Change[] } {
  const found = locateRecorded(enclosure, change.path, { leaf: 'keep', forChange: true });
  try {
    if (!found.stat?.isDirectory()) return { changes: [] };
    withLock(enclosure.root, [found], () => {
      found.dir.verify();
      rmdirSync(found.at);
    });
    found.dir.verify();
    return { changes: [{ kind: 'delete', path: change.path }] };
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    const errno = errnoOf(error);
    if (errno === 'ENOTEMPTY' || errno === 'EEXIST')
      throw new WorkspaceError('not_empty', `Directory is no longer empty: ${change.path}`);
    if (errno === 'ENOENT') return { changes: [] };
    throw new WorkspaceError('io', `Cannot remove ${change.path}: ${osReason(error)}`, { cause: error });
  } finally {
    found.close();
  }
}

function putBack(enclosure: Enclosure, change: Change): { changes: readonly Change[] } {
  const kept = change.trash === undefined ? undefined : enclosure.trash?.find(change.trash);
  // An empty directory leaves nothing to keep.
  if (kept === undefined) throw new WorkspaceError('not_found', `The old content of ${change.path} was not kept`);
  const found = locateRecorded(enclosure, change.path, { leaf: 'keep', makeParents: true });
  try {
    return withLock(enclosure.root, [found], () => {
      const now = lookAgain(found);
      requireAsLeft(change, now);
      const replaced = now && enclosure.trash?.keep(found.at, now);
      try {
        restore(enclosure, kept, { ...found, stat: now });
      } catch (error) {
        if (replaced !== undefined) enclosure.trash?.drop(replaced);
        throw error;
      }
      enclosure.trash?.drop(change.trash as string);
      return { changes: [...madeChanges(enclosure, found), describe(enclosure, change, now, found, replaced)] };
    });
  } catch (error) {
    found.unmake();
    if (error instanceof Outdated) throw changedAgain(change);
    if (error instanceof WorkspaceError) throw error;
    throw new WorkspaceError('io', `Cannot restore ${change.path}: ${osReason(error)}`, { cause: error });
  } finally {
    found.close();
  }
}

/** @throws WorkspaceError when the place is not as the change left it */
function requireAsLeft(change: Change, now: Stats | undefined): void {
  if (change.kind === 'delete') {
    if (now) throw new WorkspaceError('exists', `Something new exists at ${change.path}`);
  } else if (!(now && isAt(now, change.after))) {
    throw changedAgain(change);
  }
}

function changedAgain(change: Change): WorkspaceError {
  return new WorkspaceError('changed', `${change.path} was changed again since`);
}

/** Moves the kept item to its place; from another file system, in one step after it was copied. */
function restore(enclosure: Enclosure, kept: string, found: Located): void {
  found.dir.verify();
  try {
    settleIn(enclosure, found, { home: ANYWHERE, name: kept, made: lstatSync(kept) });
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    const name = tempName();
    const at = found.dir.at(name);
    try {
      if (!copyAcross(kept, at))
        throw new WorkspaceError('io', `Cannot restore ${found.path.written}: not all of it could be copied`);
      settleIn(enclosure, found, { home: found.dir, name, made: lstatSync(at) });
    } catch (failure) {
      removeEntry(at);
      throw failure;
    }
  }
  found.dir.verify();
}

/** The trash is outside every workspace and named by its host path. */
const AT_FDCWD = -100;
const ANYWHERE = { fd: AT_FDCWD, at: (path: string) => path };

/** Puts an item at a name: in the place of the file that was looked at, or only if the name is free. */
function settleIn({ root: { native } }: Enclosure, found: Located, item: Temp): void {
  const from = item.home.at(item.name);
  if (found.stat) {
    if (!exchangeFor(native, found, item)) renameSync(from, found.at);
    return;
  }
  const failed = native?.renameNoReplace(item.home.fd, item.name, found.dir.fd, found.name);
  if (failed === 0) return;
  if (lstatSync(found.at, { throwIfNoEntry: false }))
    throw new WorkspaceError('exists', `Something new exists at ${found.path.written}`);
  renameSync(from, found.at);
}

/** Restores the content a file had before an addition, if nothing else has changed it since. */
function cutOff(enclosure: Enclosure, change: Change): { changes: readonly Change[] } {
  const { path, after, length = 0, bytes = 0 } = change;
  const found = locateRecorded(enclosure, path, { leaf: 'keep', forChange: true });
  try {
    const now = found.stat;
    if (!now) throw new WorkspaceError('not_found', `File not found: ${path}`);
    if (!now.isFile() || now.size !== length + bytes || !isAt(now, after)) throw changedAgain(change);
    requireReplaceable(enclosure, found);
    return replaceFile(enclosure, found, readBytesSync(enclosure, path).bytes.subarray(0, length));
  } catch (error) {
    if (error instanceof Outdated) throw changedAgain(change);
    throw error;
  } finally {
    found.close();
  }
}

function isAt(now: Stats, version: string | undefined): boolean {
  return version !== undefined && isSameButMoved(versionOf(now), version);
}

function describe(
  enclosure: Enclosure,
  change: Change,
  now: Stats | undefined,
  found: Located,
  replaced: string | undefined,
): Change {
  const stat = lstatSync(found.at);
  const after = stat.isFile() ? { after: versionOf(stat) } : {};
  if (!now) {
    const tree = stat.isDirectory() ? treeDigest(found.at, enclosure.limits) : undefined;
    return { kind: 'create', path: change.path, ...after, ...(tree !== undefined && { tree }) };
  }
  return {
    kind: 'update',
    path: change.path,
    before: versionOf(now),
    ...after,
    ...(replaced !== undefined && { trash: replaced }),
  };
}
