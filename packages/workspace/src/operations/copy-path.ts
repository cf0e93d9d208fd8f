import { lstatSync, type Stats, statfsSync } from 'node:fs';
import { isBaseAt } from '../base-directory.ts';
import { copyRegular } from '../copy-file.ts';
import { copyTree, type TreeCopy } from '../copy-tree.ts';
import { type Enclosure, hostPath, isMasked, requireWritable } from '../enclosure.ts';
import { errnoOf, osReason, whenReady, WorkspaceError } from '../errors.ts';
import { createPace, type Pace } from '../pace.ts';
import { removeQuietly } from '../remove-tree.ts';
import type { Dir } from '../resolve/dir.ts';
import { type Located, locate } from '../resolve/locate.ts';
import { tempName } from '../temp-name.ts';
import { visitInSlices } from '../visit-in-slices.ts';
import type { VisitedEntry } from '../visit-tree.ts';
import type { Change } from './change.ts';
import { type CallOptions, forCall } from './for-call.ts';
import { homesFor } from './homes.ts';
import { inBulk } from './in-bulk.ts';
import { requireFree } from './move-path.ts';
import { placeTemp } from './place-temp.ts';
import { treeDigest } from './tree-digest.ts';

/** The result of a copy. `skipped` counts what it left out: see {@link TreeCopy}. */
export interface CopyOutcome {
  readonly files: number;
  readonly directories: number;
  readonly bytes: number;
  readonly skipped: number;
  readonly changes: readonly Change[];
}

export interface CopyOptions extends Pick<CallOptions, 'journal'> {
  readonly signal?: AbortSignal | undefined;
}

/** Disk space that a copy leaves free for others. */
const RESERVE_BYTES = 64 * 1024 * 1024;
const SECTOR_BYTES = 512;

/**
 * Copies a file or a whole directory to a name that must not exist, making missing parents. A link is copied as what
 * it leads to; inside a directory, links are left out. Holes stay holes. Other calls run meanwhile. A copy that fails or
 * is cancelled leaves nothing.
 *
 * @throws WorkspaceError `not_found`, `exists`, `invalid` (into itself), `mounted`, `too_large`, `quota`, `cancelled`,
 *   `io` (also: not enough disk space, an entry that cannot be read), `read_only`
 */
export async function copyPath(
  workspace: Enclosure,
  source: string,
  destination: string,
  options: CopyOptions = {},
): Promise<CopyOutcome> {
  const enclosure = forCall(workspace, options);
  requireWritable(enclosure);
  return inBulk(enclosure, options.signal, async (pace) => {
    const from = locate(enclosure, source);
    try {
      if (!from.stat) throw new WorkspaceError('not_found', `File not found: ${source}`);
      const isDirectory = from.stat.isDirectory();
      if (!isDirectory && !from.stat.isFile()) throw new WorkspaceError('not_regular', `Not a regular file: ${source}`);
      const size = isDirectory ? await measure(enclosure, from, pace) : sizeOf(from.stat);
      const place = locate(enclosure, destination, { leaf: 'keep', makeParents: true });
      try {
        const to = requireFree(place);
        if (isDirectory) requireApart(from, to);
        const ends: ((() => void) | undefined)[] = [];
        const reserve = (bytes: number, files: number) =>
          whenReady(() => void ends.push(enclosure.quota?.reserve(bytes, files)), options.signal);
        try {
          await reserve(size.bytes, size.files);
          requireSpace(to.dir, size.diskBytes);
          from.dir.verify();
          to.dir.verify();
          // The source may have grown since it was measured.
          const accept = async ({ bytes, files }: TreeCopy) => {
            if (bytes > size.bytes || files > size.files) await reserve(bytes - size.bytes, files - size.files);
          };
          const outcome = await copyTo(enclosure, from, to, { homes: homesFor(enclosure, to), accept, pace });
          to.dir.verify();
          return outcome;
        } finally {
          for (const end of ends) end?.();
        }
      } catch (error) {
        place.unmake();
        throw error;
      } finally {
        place.close();
      }
    } finally {
      from.close();
    }
  });
}

interface CopyToOptions {
  readonly homes: readonly Dir[];
  /** Throws if the copy that was made may not be placed. */
  readonly accept: (made: TreeCopy) => Promise<void>;
  readonly pace: Pace;
}

/** Copies to a temporary name first, so that no reader sees a partial copy under the final name. */
async function copyTo(
  enclosure: Enclosure,
  from: Located,
  to: Located,
  { homes, accept, pace }: CopyToOptions,
): Promise<CopyOutcome> {
  const [home, ...others] = homes as [Dir, ...Dir[]];
  const name = tempName();
  const at = home.at(name);
  let placed = false;
  try {
    const { tree, ...done } = from.stat?.isDirectory()
      ? await copyDirectory(enclosure, from, at, pace)
      : await copyOne(from, at, pace);
    await accept(done);
    // The last chance to cancel: the rest is one step.
    pace.check();
    enclosure.root.check();
    const temp = { home, name, made: lstatSync(at), tree };
    const { changes } = placeTemp(enclosure, to, temp);
    placed = true;
    return { ...done, changes };
  } catch (error) {
    if (others.length > 0 && mayFitElsewhere(error))
      return await copyTo(enclosure, from, to, { homes: others, accept, pace });
    throw copyFailure(error, from, to);
  } finally {
    if (!placed) await removeQuietly(at, createPace());
  }
}

/** The root may be another file system, or closed to this process. */
function mayFitElsewhere(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === 'EXDEV' || errno === 'EACCES' || errno === 'EPERM' || errno === 'EROFS';
}

async function copyOne(from: Located, at: string, pace: Pace): Promise<TreeCopy & { tree: undefined }> {
  const { made } = await copyRegular(from.at, at, pace);
  return { files: 1, directories: 0, bytes: made.size, skipped: 0, tree: undefined };
}

async function copyDirectory(
  enclosure: Enclosure,
  from: Located,
  at: string,
  pace: Pace,
): Promise<TreeCopy & { tree: string | undefined }> {
  const masked = (below: string, entry: VisitedEntry) =>
    isMasked(enclosure, hostPath(from.path.root, [...from.parts, ...below.split('/')])) ||
    (entry.type === 'directory' && isBaseAt(enclosure.base, entry.at));
  const leaveOut = enclosure.masks.length > 0 ? masked : undefined;
  const { written } = from.path;
  const done = await copyTree(from.at, at, { denyList: enclosure.denyList, leaveOut, written, pace });
  // Take the digest while the copy has a temporary name: no one else has put files into it yet.
  return { ...done, tree: await treeDigest(at, enclosure.limits, pace) };
}

interface Size {
  bytes: number;
  /** Space on the disk. Holes take none. */
  diskBytes: number;
  files: number;
}

function sizeOf(stat: Stats): Size {
  return { bytes: stat.size, diskBytes: Math.min(stat.size, stat.blocks * SECTOR_BYTES), files: 1 };
}

async function measure(enclosure: Enclosure, from: Located, pace: Pace): Promise<Size> {
  const total = { bytes: 0, diskBytes: 0, files: 0 };
  let entries = 0;
  const visiting = { maxDepth: enclosure.limits.maxDepth, denyList: enclosure.denyList, pace };
  await visitInSlices(from.at, visiting, (entry) => {
    if (++entries > enclosure.limits.maxTreeEntries) {
      throw new WorkspaceError(
        'too_large',
        `Directory has more than ${enclosure.limits.maxTreeEntries} entries: ${from.path.written}`,
      );
    }
    const stat = entry.type === 'file' ? lstatSync(entry.at, { throwIfNoEntry: false }) : undefined;
    if (!stat) return;
    const { bytes, diskBytes } = sizeOf(stat);
    total.files++;
    total.bytes += bytes;
    total.diskBytes += diskBytes;
  });
  return total;
}

/** @throws WorkspaceError `io` where the copy would fill the disk. A small copy is tried. */
function requireSpace(dir: Dir, bytes: number): void {
  const { bavail, bsize } = statfsSync(dir.self);
  const left = bavail * bsize - bytes;
  if (bytes < RESERVE_BYTES ? left >= 0 : left >= RESERVE_BYTES) return;
  throw new WorkspaceError('io', `Cannot copy: the disk has ${bavail * bsize} bytes left, and this needs ${bytes}`, {
    cause: Object.assign(new Error('no space left'), { code: 'ENOSPC' }),
  });
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
