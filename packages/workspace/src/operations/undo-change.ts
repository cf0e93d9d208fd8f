import { rmdirSync } from 'node:fs';
import { type Enclosure, requireWritable } from '../enclosure.ts';
import { errnoOf, osReason, whenReady, WorkspaceError } from '../errors.ts';
import type { Pace } from '../pace.ts';
import { withLock } from '../resolve/lock.ts';
import { isSameButMoved, versionOf } from '../text/version.ts';
import type { Change } from './change.ts';
import { deletePath } from './delete-path.ts';
import { type CallOptions, forCall } from './for-call.ts';
import { inBulk } from './in-bulk.ts';
import { recorded } from './journal.ts';
import { locateRecorded } from './locate-recorded.ts';
import { movePath } from './move-path.ts';
import { Outdated } from './outdated.ts';
import { changedAgain, isAt, putBack } from './put-back.ts';
import { readBytesSync } from './read-whole.ts';
import { replaceFile } from './replace.ts';
import { EMPTY_TREE, treeDigest } from './tree-digest.ts';
import { requireReplaceable } from './write-file.ts';

export interface UndoOptions extends Pick<CallOptions, 'journal'> {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Undoes one recorded change, with the checks of the change itself. Refuses if the place is no longer as the change
 * left it, so that later work is not lost. Also refuses if a link leads there now: the undo of an operator may reach
 * paths that an agent may not, and a link of the agent must not redirect it. Moves removed content to the trash again.
 *
 * @throws WorkspaceError `changed`, `not_found` (nothing kept), `exists`, `not_empty`, `not_undoable`, `cancelled`, and
 *   those of `locate`
 */
export async function undoChange(
  workspace: Enclosure,
  change: Change,
  options: UndoOptions = {},
): Promise<{ changes: readonly Change[] }> {
  const { signal } = options;
  const enclosure = forCall(workspace, options);
  requireWritable(enclosure);
  return inBulk(enclosure, signal, async (pace) => {
    switch (change.kind) {
      case 'create':
        if (change.after === undefined) await requireSameTree(enclosure, change, pace);
        // A directory has no version: its content is taken away only when it is kept.
        return deletePath(enclosure, change.path, {
          recursive: enclosure.trash !== undefined,
          expectedVersion: asItIsNow(enclosure, change.path, change.after),
          isRecorded: true,
          signal,
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
        return whenReady(() => putBack(enclosure, change, pace), signal);
      case 'append':
        return whenReady(() => cutOff(enclosure, change), signal);
    }
  });
}

/** @throws WorkspaceError `changed` when a directory no longer holds what came with it, or that is not known */
async function requireSameTree(enclosure: Enclosure, change: Change, pace: Pace): Promise<void> {
  const found = locateRecorded(enclosure, change.path, { leaf: 'keep' });
  try {
    const { stat } = found;
    // A link that was put back has neither version nor content.
    if (!stat || (stat.isSymbolicLink() && change.tree === undefined)) return;
    const now = stat.isDirectory() ? await treeDigest(found.at, enclosure.limits, pace) : undefined;
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
    const changes: Change[] = [{ kind: 'delete', path: change.path }];
    withLock(enclosure.root, [found], () => {
      found.dir.verify();
      recorded(enclosure, changes, () => rmdirSync(found.at));
    });
    found.dir.verify();
    return { changes };
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
