import type { FileEntry } from '../api/files.ts';

/** A column to sort by. */
export type SortBy = 'name' | 'size' | 'modified';

/** The sort order of a folder. */
export interface Sort {
  readonly by: SortBy;
  readonly descending: boolean;
}

/** The order in which a folder opens. */
export const BY_NAME: Sort = { by: 'name', descending: false };

export function isSameSort(a: Sort, b: Sort): boolean {
  return a.by === b.by && a.descending === b.descending;
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts folders first, then by the column, then by name; compares numbers in names numerically. */
export function sortEntries(entries: readonly FileEntry[], { by, descending }: Sort): FileEntry[] {
  const sign = descending ? -1 : 1;
  return entries.toSorted((a, b) => {
    if (a.type !== b.type) return a.type === 'dir' ? -1 : 1;
    const byColumn =
      by === 'size'
        ? (a.size ?? 0) - (b.size ?? 0)
        : by === 'modified'
          ? Date.parse(a.modifiedAt ?? '') - Date.parse(b.modifiedAt ?? '') || 0
          : 0;
    return sign * (byColumn || names.compare(a.name, b.name));
  });
}
