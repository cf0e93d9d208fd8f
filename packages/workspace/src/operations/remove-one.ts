import { lstatSync, renameSync, type Stats } from 'node:fs';
import { copyAcross } from '../copy-tree.ts';
import type { Enclosure } from '../enclosure.ts';
import { errnoOf, WorkspaceError } from '../errors.ts';
import { createPace, type Pace } from '../pace.ts';
import { removeQuietly } from '../remove-tree.ts';
import type { Dir } from '../resolve/dir.ts';
import type { Located } from '../resolve/locate.ts';
import { withLock } from '../resolve/lock.ts';
import { Unsettled } from '../resolve/settle.ts';
import { tempName } from '../temp-name.ts';
import { isSameButMoved, versionOf } from '../text/version.ts';
import { NotKept, type Trash } from '../trash.ts';
import { homesFor } from './homes.ts';
import { notUndoable } from './keep-old.ts';
import { isCurrent, isUnchanged } from './outdated.ts';
import { treeDigest } from './tree-digest.ts';

/** One name to remove, and how the trash names its content. */
export interface Removal {
  readonly found: Located;
  readonly stat: Stats;
  readonly bytes: number;
  readonly group: string | undefined;
  readonly index: number;
  readonly pace: Pace;
  /** Records the removal, with the item that keeps its content, before it is made. */
  readonly intend: (trash: string | undefined) => void;
}

/** A name that is gone, and the item that keeps what it led to. */
export interface Removed {
  readonly found: Located;
  readonly trash: string | undefined;
}

/**
 * Removes one name in one step, after what it leads to is kept: a rename, so that no caller ever sees a part of it.
 *
 * @returns the trash item; `undefined` when the content is gone for good
 * @throws Unsettled when something else is at the name; WorkspaceError `not_undoable`, `cancelled`; Node's errors
 */
export async function removeOne(enclosure: Enclosure, removal: Removal): Promise<string | undefined> {
  const { trash } = enclosure;
  if (!trash) return removeForGood(enclosure, removal);
  try {
    return await keepAndRemove(enclosure, trash, removal);
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    const { found, bytes } = removal;
    if (!enclosure.permanent) throw notUndoable(found.path.written, bytes, trash.maxBytes(), error.reason);
    return removeForGood(enclosure, removal);
  }
}

async function keepAndRemove(enclosure: Enclosure, trash: Trash, removal: Removal): Promise<string> {
  const { found, stat, bytes } = removal;
  const how = { group: removal.group, index: removal.index, before: removal.intend };
  let item: string;
  try {
    item = withLock(enclosure.root, [found], () => {
      if (!isCurrent(enclosure.root, found)) throw exchanged(found);
      return trash.take(found.at, bytes, how);
    });
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    return copyAndRemove(enclosure, trash, removal);
  }
  const at = trash.find(item);
  // Another program may have put something else at the name in the last moment: that goes back.
  if (at === undefined || isUnchanged(lstatSync(at), stat)) return item;
  renameSync(at, found.at);
  throw exchanged(found);
}

/** The trash is on another device: the name goes when the copy is complete, and only if it still is what was copied. */
async function copyAndRemove(enclosure: Enclosure, trash: Trash, removal: Removal): Promise<string> {
  const { found, bytes, group, index, pace } = removal;
  const item = await trash.copyIn(found.at, bytes, { group, index, pace });
  let aside: string;
  try {
    aside = moveAside(enclosure, removal, item);
  } catch (error) {
    trash.drop(item);
    throw error;
  }
  if (!(await isSame(enclosure, aside, trash.find(item)).catch(() => false))) {
    renameSync(aside, found.at);
    trash.drop(item);
    throw exchanged(found);
  }
  // The name is gone and the copy is complete, so the deletion is made. The next start removes the rest.
  await removeQuietly(aside, createPace());
  return item;
}

async function isSame(enclosure: Enclosure, aside: string, kept: string | undefined): Promise<boolean> {
  if (kept === undefined) return false;
  const [a, b] = [lstatSync(aside), lstatSync(kept)];
  if (a.isFile()) return isSameButMoved(versionOf(a), versionOf(b));
  if (!a.isDirectory()) return true;
  const { limits } = enclosure;
  const digest = await treeDigest(aside, limits, createPace());
  return digest !== undefined && digest === (await treeDigest(kept, limits, createPace()));
}

async function removeForGood(enclosure: Enclosure, removal: Removal): Promise<undefined> {
  const aside = moveAside(enclosure, removal, undefined);
  // The name is gone, so the deletion is made: it is not cancelled and does not fail. The next start removes the rest.
  await removeQuietly(aside, createPace());
}

/** Renames to a temporary name, in the workspace's root where that is possible. */
function moveAside(enclosure: Enclosure, { found, stat, intend }: Removal, item: string | undefined): string {
  const name = tempName();
  const aside = withLock(enclosure.root, [found], () => {
    if (!isCurrent(enclosure.root, found)) throw exchanged(found);
    intend(item);
    return renameInto(homesFor(enclosure, found), name, found).at(name);
  });
  if (isUnchanged(lstatSync(aside), stat)) return aside;
  renameSync(aside, found.at);
  throw exchanged(found);
}

function renameInto(homes: readonly Dir[], name: string, found: Located): Dir {
  const [home, ...others] = homes as [Dir, ...Dir[]];
  try {
    renameSync(found.at, home.at(name));
    return home;
  } catch (error) {
    const errno = errnoOf(error);
    if (others.length > 0 && (errno === 'EXDEV' || errno === 'EACCES' || errno === 'EPERM' || errno === 'EROFS'))
      return renameInto(others, name, found);
    throw error;
  }
}

function exchanged(found: Located): Unsettled {
  return new Unsettled(
    new WorkspaceError('changed', `Something else has taken the place of ${found.path.written}; look at it again`),
  );
}

/**
 * Gives back what an act had removed before it failed, where the names are still free.
 *
 * @returns what stays removed
 */
export async function putBackAll(enclosure: Enclosure, removed: readonly Removed[]): Promise<readonly Removed[]> {
  const left: Removed[] = [];
  for (const each of [...removed].reverse()) {
    const { found, trash } = each;
    const kept = trash === undefined ? undefined : enclosure.trash?.find(trash);
    try {
      found.dir.verify();
      if (kept === undefined || lstatSync(found.at, { throwIfNoEntry: false })) throw exchanged(found);
      await putBack(kept, found);
    } catch {
      // The item stays in the trash.
      left.push(each);
      continue;
    }
    enclosure.trash?.drop(trash as string);
  }
  return left;
}

/** Moves a kept item to a free name; from another device, in one step after it was copied. Throws Node's errors. */
async function putBack(kept: string, found: Located): Promise<void> {
  try {
    renameSync(kept, found.at);
    return;
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
  }
  const at = found.dir.at(tempName());
  try {
    if (!(await copyAcross(kept, at, createPace()))) throw new NotKept('not_copied');
    renameSync(at, found.at);
  } finally {
    await removeQuietly(at, createPace());
  }
}
