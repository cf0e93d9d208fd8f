import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import type { Limits } from '../limits.ts';
import { visitTree } from '../visit-tree.ts';

/**
 * A short token of what a directory holds: names and kinds, and size and modification time (to the microsecond) of
 * files. Unlike a version it has no inodes: what comes back from a trash on another device is still the same.
 *
 * @param at a path for `fs` calls on the directory
 * @returns `undefined` when it holds more, or lies deeper, than the limits allow to look at
 */
export function treeDigest(at: string, limits: Limits): string | undefined {
  const lines: string[] = [];
  const { tooDeep, stopped } = visitTree(
    at,
    { maxDepth: limits.maxDepth, denyList: false, showReserved: true },
    (entry) => {
      if (lines.length >= limits.maxTreeEntries) return 'stop';
      const stat = entry.type === 'file' ? lstatSync(entry.at, { throwIfNoEntry: false }) : undefined;
      lines.push(JSON.stringify([entry.path, entry.type, stat?.size, stat && Math.round(stat.mtimeMs * 1_000)]));
      return undefined;
    },
  );
  if (tooDeep || stopped) return undefined;
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex').slice(0, 32);
}

/** What {@link treeDigest} says of a directory that holds nothing. */
export const EMPTY_TREE = 'e3b0c44298fc1c149afbf4c8996fb924';
