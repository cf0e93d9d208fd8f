import { fstatSync, lstatSync } from 'node:fs';
import type { Pace } from './pace.ts';
import type { Dir } from './resolve/dir.ts';
import { isTempName } from './temp-name.ts';
import { visitInSlices } from './visit-in-slices.ts';
import { visitTree, type VisitedEntry } from './visit-tree.ts';

/** The regular files of a workspace; links are not followed. */
export interface Count {
  bytes: number;
  files: number;
  /** Something is nested too deep to be counted. */
  tooDeep: boolean;
}

/** A path cannot be made this deep, but directories can be moved into each other. */
export const MAX_COUNTED_DEPTH = 256;
const VISIT = { maxDepth: MAX_COUNTED_DEPTH, denyList: false, showReserved: true } as const;

/** Directory files hold names and little else. */
const BYTES_AN_ENTRY = 64;

/** Counts in slices. `at`: the host path of a directory. */
export async function countTree(at: string, pace: Pace): Promise<Count> {
  const total: Count = { bytes: 0, files: 0, tooDeep: false };
  const { tooDeep } = await visitInSlices(at, { ...VISIT, pace }, (entry) => add(total, entry));
  return { ...total, tooDeep };
}

/** Counts at once, if there are no more than `maxEntries`. */
export function countSmallTree(root: Dir, maxEntries: number): Count | undefined {
  const total: Count = { bytes: 0, files: 0, tooDeep: false };
  let entries = 0;
  let isLarge = false;
  // A large directory would be read whole before its first entry is reported.
  const shut = (fd: number) => (isLarge ||= fstatSync(fd).size > maxEntries * BYTES_AN_ENTRY);
  const { tooDeep, stopped } = visitTree(root.self, { ...VISIT, shut }, (entry) =>
    isLarge || ++entries > maxEntries ? 'stop' : add(total, entry),
  );
  return stopped || isLarge ? undefined : { ...total, tooDeep };
}

/** A temporary file or directory is counted when it has its name: an upload must not be in its own way. */
function add(total: Count, { type, name, at }: VisitedEntry): 'skip' | undefined {
  if (isTempName(name)) return 'skip';
  const stat = type === 'file' ? lstatSync(at, { throwIfNoEntry: false }) : undefined;
  if (!stat) return undefined;
  total.files++;
  total.bytes += stat.size;
  return undefined;
}
