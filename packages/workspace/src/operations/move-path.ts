import { lstatSync, renameSync } from 'node:fs';
import { type Enclosure, escapes, hostPath, holdsMask, placeName, requireWritable } from '../enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import { sameFile } from '../resolve/dir.ts';
import { type Located, locate } from '../resolve/locate.ts';
import { withLock } from '../resolve/lock.ts';
import { requireNoMountBelow } from '../resolve/own-mount.ts';
import { holdsServedRoot } from '../resolve/root.ts';
import { isChanging, takeFreeName } from '../resolve/settle.ts';
import { versionOf } from '../text/version.ts';
import type { Change } from './change.ts';
import { type CallOptions, forCall } from './for-call.ts';
import { recorded } from './journal.ts';
import { madeChanges } from './made-changes.ts';
import { locateRecorded } from './locate-recorded.ts';
import { isCurrent, lookAgain, Outdated, untilCurrent } from './outdated.ts';
import { requireVersion } from './write-file.ts';

const EEXIST = 17;

/**
 * Renames a file, directory or link (the link itself) to a name that must not exist, making missing parents.
 *
 * @throws WorkspaceError `not_found`, `exists`, `invalid` (into itself), `mounted`, `changed`, `busy`, `io`,
 *   `read_only`, and those of `locate`
 */
export function movePath(
  workspace: Enclosure,
  source: string,
  destination: string,
  options: MoveOptions = {},
): { changes: readonly Change[] } {
  const enclosure = forCall(workspace, options);
  requireWritable(enclosure);
  return untilCurrent(() => moveOnce(enclosure, source, destination, options));
}

export interface MoveOptions extends Pick<CallOptions, 'journal'> {
  readonly expectedVersion?: string | undefined;
  /** The paths are out of a record: see {@link locateRecorded}. */
  readonly isRecorded?: boolean;
}

/** @throws Outdated when the source changed before it could be moved */
function moveOnce(
  enclosure: Enclosure,
  source: string,
  destination: string,
  options: MoveOptions,
): { changes: readonly Change[] } {
  const find = options.isRecorded ? locateRecorded : locate;
  const from = find(enclosure, source, { leaf: 'keep', forChange: true });
  try {
    if (!from.stat) throw new WorkspaceError('not_found', `File not found: ${source}`);
    requireMovable(enclosure, from);
    requireVersion(from, options.expectedVersion);
    const to = find(enclosure, destination, { leaf: 'keep', makeParents: true });
    try {
      requireFree(to);
      to.dir.verify();
      const version = from.stat.isFile() ? { before: versionOf(from.stat), after: versionOf(from.stat) } : {};
      const path = placeName(enclosure, from.path, from.parts);
      const moved: Change = { kind: 'move', path, to: placeName(enclosure, to.path, to.parts), ...version };
      const changes = [...madeChanges(enclosure, to), moved];
      withLock(enclosure.root, [from, to], () => {
        if (!isCurrent(enclosure.root, from)) throw new Outdated();
        recorded(enclosure, changes, () => {
          renameFree(enclosure, from, to);
          requireMoved(enclosure, from, to);
        });
      });
      enclosure.quota?.changed();
      from.dir.verify();
      to.dir.verify();
      return { changes };
    } catch (error) {
      to.unmake();
      throw error;
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
}

/** Another program may have put something else at the source in the last moment: that goes back. */
function requireMoved(enclosure: Enclosure, from: Located, to: Located): void {
  const out = lookAgain(to);
  if (!out || !from.stat || sameFile(out, from.stat)) return;
  renameFree(enclosure, to, from);
  throw new Outdated();
}

/** @throws WorkspaceError for the workspace itself, a mask, another served root, a mount, or a directory with one inside */
export function requireMovable(enclosure: Enclosure, found: Located): void {
  if (found.name === '.' || found.parts.length === 0) {
    throw new WorkspaceError('invalid', `The workspace itself cannot be moved or deleted: ${found.path.written}`);
  }
  const host = hostPath(found.path.root, found.parts);
  if (holdsMask(enclosure, host)) throw escapes(found.path.written);
  if (found.stat?.isDirectory() && holdsServedRoot(host))
    throw new WorkspaceError(
      'denied',
      `This server also serves a directory in it, so it cannot be moved or deleted: ${found.path.written}`,
    );
  requireNoMountBelow(enclosure, found);
}

/** @returns the place as a free one: a link that has only just come there may be gone when the name is taken */
export function requireFree(to: Located): Located {
  if (to.name === '.' || (to.stat && !(to.stat.isSymbolicLink() && isChanging(to.stat)))) throw occupied(to);
  return { ...to, stat: undefined };
}

function occupied(to: Located): WorkspaceError {
  return new WorkspaceError('exists', `Destination already exists: ${to.path.written}`);
}

function renameFree(enclosure: Enclosure, from: Located, to: Located): void {
  const native = enclosure.root.native;
  try {
    const tryRename = (): boolean => {
      if (native) {
        const failed = native.renameNoReplace(from.dir.fd, from.name, to.dir.fd, to.name);
        if (failed === 0) return true;
        if (failed === -EEXIST) return false;
        // Other failures come out of the plain rename below with Node's own error.
      }
      if (lstatSync(to.at, { throwIfNoEntry: false })) return false;
      renameSync(from.at, to.at);
      return true;
    };
    takeFreeName(to.at, tryRename, occupied(to));
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    switch (errnoOf(error)) {
      case 'EINVAL':
        throw new WorkspaceError('invalid', `Cannot move a directory into itself: ${from.path.written}`);
      case 'ENOENT':
        throw new WorkspaceError('not_found', `File not found: ${from.path.written}`);
      case 'EXDEV':
        throw new WorkspaceError(
          'io',
          'Cannot move across file systems; copy it, then delete the source if the copy has skipped 0',
        );
      default:
        throw new WorkspaceError('io', `Cannot move: ${osReason(error)}`, { cause: error });
    }
  }
}
