import { lstatSync, readdirSync } from 'node:fs';
import { isBaseAt } from '../base-directory.ts';
import { type Enclosure, hostPath, isMasked, mayHoldMasked } from '../enclosure.ts';
import { openDirectory } from '../resolve/open-directory.ts';
import { type EntryType, isHidden, typeOf } from '../visit-tree.ts';

/** One entry of a directory. */
export interface ListedEntry {
  readonly name: string;
  readonly type: EntryType;
  /** Files only, and only on request. */
  readonly sizeBytes?: number;
  readonly modified?: string;
}

/** A page of a directory's entries, directories first, each group by name. */
export interface DirListing {
  readonly entries: readonly ListedEntry[];
  /** All visible entries, beyond this page too. */
  readonly total: number;
}

/** Which page of a directory is wanted, and what of its entries. */
export interface ListOptions {
  readonly offset?: number;
  readonly limit?: number;
  /** Sizes, and when entries were modified: one system call each. */
  readonly details?: boolean;
  /** Sizes of files alone, for who needs no more of many. */
  readonly sizes?: boolean;
}

/**
 * Lists one directory. Protected, reserved, masked and temporary names are left out. A name that is not UTF-8 is
 * shown with U+FFFD and cannot be opened by it.
 *
 * @throws WorkspaceError `not_found`, `not_directory`, `io`, and those of `locate`
 */
export function listDir(enclosure: Enclosure, path: string, options: ListOptions = {}): DirListing {
  const { dir, parts } = openDirectory(enclosure, path);
  const host = hostPath(enclosure.ambient ?? enclosure.root, parts);
  const hasMasked = mayHoldMasked(enclosure, host);
  try {
    const visible = readdirSync(dir.self, { withFileTypes: true })
      .filter((entry) => !isHidden(entry.name, enclosure))
      .filter((entry) => !hasMasked || !isMasked(enclosure, `${host === '/' ? '' : host}/${entry.name}`))
      .filter((entry) => !entry.isDirectory() || !isBaseAt(enclosure.base, dir.at(entry.name)))
      .map((entry): ListedEntry => ({ name: entry.name, type: typeOf(entry) }))
      .sort(directoriesFirst);
    dir.verify();
    const start = Math.max(0, options.offset ?? 0);
    const page = visible.slice(start, start + (options.limit ?? visible.length));
    return {
      entries: options.details
        ? page.map((entry) => withDetails(entry, dir.at(entry.name)))
        : options.sizes
          ? page.map((entry) => withSize(entry, dir.at(entry.name)))
          : page,
      total: visible.length,
    };
  } finally {
    dir.close();
  }
}

function withDetails(entry: ListedEntry, at: string): ListedEntry {
  const stat = lstatSync(at, { throwIfNoEntry: false });
  if (!stat) return entry;
  const modified = stat.mtime.toISOString();
  return stat.isFile() ? { ...entry, sizeBytes: stat.size, modified } : { ...entry, modified };
}

function withSize(entry: ListedEntry, at: string): ListedEntry {
  if (entry.type !== 'file') return entry;
  const stat = lstatSync(at, { throwIfNoEntry: false });
  return stat?.isFile() ? { name: entry.name, type: 'file', sizeBytes: stat.size } : entry;
}

function directoriesFirst(a: ListedEntry, b: ListedEntry): number {
  const group = Number(b.type === 'directory') - Number(a.type === 'directory');
  return group || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
