import { lstatSync } from 'node:fs';
import { isBaseAt } from '../base-directory.ts';
import { type Enclosure, hostPath, isMasked } from '../enclosure.ts';
import { openDirectory } from '../resolve/open-directory.ts';
import { type EntryType, visitTree } from '../visit-tree.ts';

/** One entry of a tree, in the order it is drawn. */
export interface TreeEntry {
  readonly name: string;
  readonly path: string;
  readonly type: EntryType;
  /** 1 for the children of the start. */
  readonly depth: number;
  /** Of files, on request. */
  readonly sizeBytes?: number;
}

/** A tree drawn depth first: directories before files, each by name. */
export interface Tree {
  readonly entries: readonly TreeEntry[];
  readonly truncated: boolean;
}

export interface TreeOptions {
  readonly maxDepth: number;
  readonly maxEntries: number;
  /** Names left out beside those of the workspace's own ignore list. */
  readonly excludeNames?: ReadonlySet<string>;
  /** Look up file sizes, one system call each. */
  readonly sizes?: boolean;
}

/**
 * Walks a directory to a depth and an entry count. Links are shown and not entered.
 *
 * @throws WorkspaceError as `listDir`
 */
export function readTree(enclosure: Enclosure, path: string, options: TreeOptions): Tree {
  const { dir, parts } = openDirectory(enclosure, path);
  const root = enclosure.ambient ?? enclosure.root;
  const entries: TreeEntry[] = [];
  let truncated = false;
  try {
    const { tooDeep } = visitTree(
      dir.self,
      {
        maxDepth: Math.min(options.maxDepth, enclosure.limits.maxDepth),
        denyList: enclosure.denyList,
        ignoreNames: options.excludeNames
          ? new Set([...enclosure.ignoreNames, ...options.excludeNames])
          : enclosure.ignoreNames,
        directoriesFirst: true,
        ...(enclosure.masks.length > 0 && {
          leaveOut: (below, _name, isDirectory, _context, at) =>
            isMasked(enclosure, hostPath(root, [...parts, ...below.split('/')])) ||
            (isDirectory && isBaseAt(enclosure.base, at)),
        }),
      },
      (entry) => {
        if (entries.length >= options.maxEntries) {
          truncated = true;
          return 'stop';
        }
        const size =
          options.sizes && entry.type === 'file' ? lstatSync(entry.at, { throwIfNoEntry: false })?.size : undefined;
        const { name, path: below, type, depth } = entry;
        entries.push({ name, path: below, type, depth, ...(size !== undefined && { sizeBytes: size }) });
        return undefined;
      },
    );
    dir.verify();
    return { entries, truncated: truncated || (tooDeep && options.maxDepth > enclosure.limits.maxDepth) };
  } finally {
    dir.close();
  }
}
