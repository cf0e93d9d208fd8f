import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import type { Limits } from '../limits.ts';
import type { Pace } from '../pace.ts';
import { sortInSlices } from '../sort-in-slices.ts';
import { visitInSlices } from '../visit-in-slices.ts';

/** Ends a walk; never leaves this file. */
class TooLarge extends Error {}

/**
 * A short token of a directory's content: names and types, and size and modification time (to the microsecond) of
 * files. Unlike a version it contains no inodes, so a directory restored from a trash on another device has the same
 * digest.
 *
 * @param at a path for `fs` calls on the directory
 * @returns `undefined` if it has more or deeper entries than the limits allow
 * @throws WorkspaceError `cancelled`
 */
export async function treeDigest(at: string, limits: Limits, pace: Pace): Promise<string | undefined> {
  const lines: string[] = [];
  const visiting = { maxDepth: limits.maxDepth, denyList: false, showReserved: true, pace } as const;
  try {
    const { tooDeep } = await visitInSlices(at, visiting, (entry) => {
      if (lines.length >= limits.maxTreeEntries) throw new TooLarge();
      const stat = entry.type === 'file' ? lstatSync(entry.at, { throwIfNoEntry: false }) : undefined;
      lines.push(JSON.stringify([entry.path, entry.type, stat?.size, stat && Math.round(stat.mtimeMs * 1_000)]));
    });
    if (tooDeep) return undefined;
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
  const hash = createHash('sha256');
  for (const [i, line] of (await sortInSlices(lines, pace)).entries()) {
    const pause = pace.pause();
    if (pause) await pause;
    hash.update(i === 0 ? line : `\n${line}`);
  }
  return hash.digest('hex').slice(0, 32);
}

/** The {@link treeDigest} of an empty directory. */
export const EMPTY_TREE = 'e3b0c44298fc1c149afbf4c8996fb924';
