import { chmodSync, lstatSync, renameSync, type Stats } from 'node:fs';
import { copyAcross } from '../copy-tree.ts';
import { countTree } from '../count-tree.ts';
import type { Enclosure } from '../enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import { createPace, type Pace } from '../pace.ts';
import { removeQuietly } from '../remove-tree.ts';
import type { Located } from '../resolve/locate.ts';
import { withLock } from '../resolve/lock.ts';
import { tempName } from '../temp-name.ts';
import { isSameButMoved, versionOf } from '../text/version.ts';
import type { Change } from './change.ts';
import { madeChanges } from './made-changes.ts';
import { exchangeFor, type Temp } from './exchange.ts';
import { recorded } from './journal.ts';
import { keepOld } from './keep-old.ts';
import { locateRecorded } from './locate-recorded.ts';
import { lookAgain, Outdated } from './outdated.ts';
import { treeDigest } from './tree-digest.ts';

/**
 * Moves the kept content of an overwritten or deleted place back to it. The trash keeps the content that it replaces. The
 * quota counts the content as that of a write.
 *
 * @throws WorkspaceError `not_found` (nothing kept), `exists`, `changed`, `not_undoable`, `quota`, `cancelled`, `busy` (also
 *   `NotYet`), `io`, and those of `locate`
 */
export async function putBack(
  enclosure: Enclosure,
  change: Change,
  pace: Pace,
): Promise<{ changes: readonly Change[] }> {
  const kept = change.trash === undefined ? undefined : enclosure.trash?.find(change.trash);
  // An empty directory has no content to keep.
  if (kept === undefined) throw new WorkspaceError('not_found', `The old content of ${change.path} was not kept`);
  // Take the digest while the item is in the trash: no one else has put files into it yet.
  const stat = lstatSync(kept);
  const tree = stat.isDirectory() ? await treeDigest(kept, enclosure.limits, pace) : undefined;
  const size = stat.isDirectory() ? await countTree(kept, pace) : sizeOf(stat);
  const found = locateRecorded(enclosure, change.path, { leaf: 'keep', makeParents: true });
  let copy: string | undefined;
  let end: (() => void) | undefined;
  try {
    requireAsLeft(change, found.stat);
    if (found.stat) keepLaterMode(kept, found.stat, stat);
    const now = sizeOf(found.stat);
    end = enclosure.quota?.reserve(size.bytes - now.bytes, size.files - now.files);
    const settleFrom = (at: string) => {
      pace.check();
      enclosure.root.check();
      return withLock(enclosure.root, [found], () => settle(enclosure, change, found, { at, tree }));
    };
    try {
      return settleFrom(kept);
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') throw error;
    }
    copy = await copyBeside(kept, found, pace);
    return settleFrom(copy);
  } catch (error) {
    found.unmake();
    if (end) enclosure.quota?.changed();
    if (error instanceof Outdated) throw changedAgain(change);
    if (error instanceof WorkspaceError) throw error;
    throw new WorkspaceError('io', `Cannot restore ${change.path}: ${osReason(error)}`, { cause: error });
  } finally {
    end?.();
    if (copy !== undefined) await removeQuietly(copy, createPace());
    found.close();
  }
}

/**
 * Gives the kept file the mode of the present one if another program changed the mode since: a file that was made private
 * stays private. A write keeps the mode, except set-id bits, which come back.
 */
function keepLaterMode(kept: string, now: Stats, old: Stats): void {
  const mode = now.mode & 0o7777;
  if (mode !== (old.mode & 0o7777) && mode !== (old.mode & 0o777)) chmodSync(kept, mode);
}

/** The bytes and files that the quota counts; not for directories. */
function sizeOf(stat: Stats | undefined): { bytes: number; files: number } {
  return stat?.isFile() ? { bytes: stat.size, files: 1 } : { bytes: 0, files: 0 };
}

/** A kept item: its host path, and the digest of a directory. */
interface Item {
  readonly at: string;
  readonly tree: string | undefined;
}

function settle(enclosure: Enclosure, change: Change, found: Located, item: Item): { changes: readonly Change[] } {
  const now = lookAgain(found);
  requireAsLeft(change, now);
  const spare = change.trash;
  const replaced = now && keepOld(enclosure, change.path, now.size, (trash) => trash.keep(found.at, now, { spare }));
  const made = lstatSync(item.at);
  const changes = [...madeChanges(enclosure, found), describe(change, now, made, item.tree, replaced)];
  try {
    const temp = { home: ANYWHERE, name: item.at, made };
    recorded(enclosure, changes, () => settleIn(enclosure, { ...found, stat: now }, temp));
  } catch (error) {
    if (replaced !== undefined) enclosure.trash?.drop(replaced);
    throw error;
  }
  enclosure.trash?.drop(spare as string);
  found.dir.verify();
  return { changes };
}

/** @throws WorkspaceError when the place is not as the change left it */
function requireAsLeft(change: Change, now: Stats | undefined): void {
  if (change.kind === 'delete') {
    if (now) throw new WorkspaceError('exists', `Something new exists at ${change.path}`);
  } else if (!(now && isAt(now, change.after))) {
    throw changedAgain(change);
  }
}

export function changedAgain(change: Change): WorkspaceError {
  return new WorkspaceError('changed', `${change.path} was changed again since`);
}

/** A copy from another device, to be renamed in one step. */
async function copyBeside(kept: string, found: Located, pace: Pace): Promise<string> {
  const at = found.dir.at(tempName());
  try {
    if (await copyAcross(kept, at, pace)) return at;
    throw new WorkspaceError('io', `Cannot restore ${found.path.written}: not all of it could be copied`);
  } catch (error) {
    await removeQuietly(at, createPace());
    throw error;
  }
}

/** An item is named by its host path. */
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

/** Whether a file is at a recorded version, but for the inode it has after a copy. */
export function isAt(now: Stats, version: string | undefined): boolean {
  return version !== undefined && isSameButMoved(versionOf(now), version);
}

function describe(
  change: Change,
  before: Stats | undefined,
  stat: Stats,
  tree: string | undefined,
  replaced: string | undefined,
): Change {
  const after = stat.isFile() ? { after: versionOf(stat) } : {};
  if (!before) return { kind: 'create', path: change.path, ...after, ...(tree !== undefined && { tree }) };
  return {
    kind: 'update',
    path: change.path,
    before: versionOf(before),
    ...after,
    ...(replaced !== undefined && { trash: replaced }),
  };
}
