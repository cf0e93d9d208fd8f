import type { Stats } from 'node:fs';
import { type Enclosure, hostPath, placeName, requireWritable } from '../enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import type { Pace } from '../pace.ts';
import { sameFile } from '../resolve/dir.ts';
import { type Located, locate } from '../resolve/locate.ts';
import { settleLater, Unsettled } from '../resolve/settle.ts';
import { versionOf } from '../text/version.ts';
import { itemName } from '../trash-items.ts';
import type { Change } from './change.ts';
import { type CallOptions, forCall } from './for-call.ts';
import { inBulk } from './in-bulk.ts';
import { notUndoable } from './keep-old.ts';
import { locateRecorded } from './locate-recorded.ts';
import { requireMovable } from './move-path.ts';
import { putBackAll, removeOne, type Removed } from './remove-one.ts';
import { requireVersion } from './write-file.ts';
import { measureForDelete } from './measure-for-delete.ts';

/** The result of a deletion. `undoable` tells whether the trash kept the content. */
export interface DeleteOutcome {
  readonly type: 'file' | 'directory' | 'link';
  readonly entries: number;
  readonly undoable: boolean;
  readonly changes: readonly Change[];
}

export interface DeleteOptions extends CallOptions {
  /** Needed for a directory that is not empty. */
  readonly recursive?: boolean;
  readonly expectedVersion?: string | undefined;
  /** The path comes from a record: see {@link locateRecorded}. */
  readonly isRecorded?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** One path that is to be deleted. */
interface Target {
  readonly path: string;
  readonly found: Located;
  readonly stat: Stats;
  readonly bytes: number;
  readonly entries: number;
}

/**
 * Deletes a file, a link (the link itself) or a directory. The trash keeps what was there, when there is one. Cancelled
 * before the first name is gone, or not at all.
 *
 * @throws WorkspaceError `not_found`, `not_empty`, `denied` (a protected name inside), `mounted`, `changed`,
 *   `not_undoable`, `busy`, `too_large`, `cancelled`, `io`, `read_only`, and those of `locate`
 */
export async function deletePath(
  enclosure: Enclosure,
  path: string,
  options: DeleteOptions = {},
): Promise<DeleteOutcome> {
  const [outcome] = await deletePaths(enclosure, [path], options);
  return outcome as DeleteOutcome;
}

/**
 * Deletes several paths as one act, as {@link deletePath} does: the trash keeps all of them together, or no path is
 * deleted. If a path cannot be deleted, the paths deleted before it are restored. The record keeps those that cannot be,
 * and the failure names them.
 */
export async function deletePaths(
  enclosure: Enclosure,
  paths: readonly string[],
  options: DeleteOptions = {},
): Promise<readonly DeleteOutcome[]> {
  requireWritable(enclosure);
  const own = forCall(enclosure, options);
  const first = new Map<string, Stats>();
  return inBulk(enclosure, options.signal, (pace) =>
    // Where another thing has taken the name since it was looked at, what was there may come back in a moment.
    settleLater(async () => {
      const targets: Target[] = [];
      try {
        for (const path of paths) targets.push(await inspect(own, path, options, first, pace));
        requireApart(targets);
        requireRoom(own, targets);
        pace.check();
        enclosure.root.check();
        return await deleteTargets(own, targets, pace);
      } finally {
        for (const { found } of targets) found.close();
      }
    }),
  );
}

async function inspect(
  enclosure: Enclosure,
  path: string,
  options: DeleteOptions,
  first: Map<string, Stats>,
  pace: Pace,
): Promise<Target> {
  const found = (options.isRecorded ? locateRecorded : locate)(enclosure, path, { leaf: 'keep', forChange: true });
  try {
    const { stat } = found;
    if (!stat) throw new WorkspaceError('not_found', `File not found: ${path}`);
    const before = first.get(path) ?? stat;
    first.set(path, before);
    if (!sameFile(before, stat)) throw exchanged(path);
    requireMovable(enclosure, found);
    requireVersion(found, options.expectedVersion);
    const content = stat.isDirectory()
      ? await measureForDelete(enclosure, found, options.recursive ?? false, pace)
      : { bytes: stat.size, entries: 0 };
    return { path, found, stat, ...content };
  } catch (error) {
    found.close();
    throw deleteFailure(error, path);
  }
}

/** @throws WorkspaceError `invalid` for a path that is given twice, or is inside another */
function requireApart(targets: readonly Target[]): void {
  const places = targets.map(({ found }) => `${hostPath(found.path.root, found.parts)}/`);
  const inner = places.findIndex((place, i) => places.some((other, j) => i !== j && place.startsWith(other)));
  if (inner >= 0)
    throw new WorkspaceError('invalid', `Another of these paths already holds ${(targets[inner] as Target).path}`);
}

/** @throws WorkspaceError `not_undoable` before anything is deleted */
function requireRoom(enclosure: Enclosure, targets: readonly Target[]): void {
  const { trash, permanent } = enclosure;
  if (!trash || permanent) return;
  const bytes = targets.reduce((sum, target) => sum + target.bytes, 0);
  const max = trash.maxBytes();
  const what = targets.length === 1 ? (targets[0] as Target).path : `These ${targets.length} entries`;
  if (bytes > max) throw notUndoable(what, bytes, max);
}

async function deleteTargets(
  enclosure: Enclosure,
  targets: readonly Target[],
  pace: Pace,
): Promise<readonly DeleteOutcome[]> {
  const group = enclosure.trash?.newGroup();
  const removed: Removed[] = [];
  const { journal } = enclosure;
  // One record for all: a line for each would repeat those before it. After a kill, what was not deleted is taken out.
  const planned = targets.map((target, index) =>
    changeOf(enclosure, target, group === undefined ? undefined : itemName(group, { bytes: target.bytes, index })),
  );
  const intendAt = (index: number, trash: string | undefined) => {
    if (index > 0 && planned[index]?.trash === trash) return;
    planned[index] = changeOf(enclosure, targets[index] as Target, trash);
    journal?.intend([...planned]);
  };
  let failing = targets[0] as Target;
  try {
    for (const [index, target] of targets.entries()) {
      failing = target;
      const { found, stat, bytes } = target;
      const intend = (trash: string | undefined) => intendAt(index, trash);
      found.dir.verify();
      const trash = await removeOne(enclosure, { found, stat, bytes, group, index, pace, intend });
      removed.push({ found, trash });
      found.dir.verify();
    }
  } catch (error) {
    const left = await putBackAll(enclosure, removed);
    const failure = deleteFailure(error, failing.path);
    if (left.length === 0) {
      journal?.withdraw();
      throw failure;
    }
    enclosure.quota?.changed();
    const isLeft = (_: unknown, index: number) => left.includes(removed[index] as Removed);
    journal?.intend(planned.filter(isLeft));
    journal?.done();
    throw deletedInPart(failure, failing, targets.filter(isLeft));
  }
  journal?.done();
  enclosure.quota?.changed();
  return targets.map((target, index) => describe(enclosure, target, removed[index]?.trash));
}

function changeOf(enclosure: Enclosure, { found, stat, bytes }: Target, trash: string | undefined): Change {
  return {
    kind: 'delete',
    path: placeName(enclosure, found.path, found.parts),
    bytes,
    ...(stat.isFile() && { before: versionOf(stat) }),
    ...(trash !== undefined && { trash }),
  };
}

function describe(enclosure: Enclosure, target: Target, trash: string | undefined): DeleteOutcome {
  const { stat, entries } = target;
  const change = changeOf(enclosure, target, trash);
  const type = stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'link' : 'file';
  return { type, entries, undoable: trash !== undefined, changes: [change] };
}

function exchanged(path: string): Unsettled {
  return new Unsettled(
    new WorkspaceError('changed', `Something else has taken the place of ${path}; look at it again`),
  );
}

/** The failure of an act of which some deletions stay, so it is not tried again as a whole. */
function deletedInPart(failure: unknown, failing: Target, left: readonly Target[]): unknown {
  const cause = failure instanceof Unsettled ? failure.refusal : failure;
  if (!(cause instanceof WorkspaceError)) return cause;
  const paths = left.map(({ path }) => path).join(', ');
  const message = `These paths stay deleted: ${paths}. Failure of ${failing.path}: ${cause.message}`;
  return new WorkspaceError(cause.code, message, { cause, extra: cause.extra });
}

function deleteFailure(error: unknown, path: string): unknown {
  if (error instanceof WorkspaceError || error instanceof Unsettled) return error;
  switch (errnoOf(error)) {
    case undefined:
      return error;
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
