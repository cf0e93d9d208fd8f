import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type FileEntry, folderPages } from '../api/files.ts';
import { BY_NAME, isSameSort, type Sort, sortEntries } from './sort-entries.ts';

/** The entries of a folder that are loaded. */
export interface Folder {
  readonly entries: readonly FileEntry[];
  /** All entries of the folder, also those that are not loaded. */
  readonly total: number;
  readonly isPending: boolean;
  /** The failure of the first request. Undefined once entries are loaded. */
  readonly error: unknown;
  readonly hasMore: boolean;
  /** The failure of the last request for more entries. Undefined while the next one runs. */
  readonly moreError: unknown;
  readonly refetch: () => void;
  readonly loadMore: () => void;
  /** Loads everything; gives all entries. */
  readonly loadAll: () => Promise<readonly FileEntry[]>;
}

/** A folder page by page. The browser sorts a folder of one page, the server a larger one. */
export function useFolder(path: string, sort: Sort): Folder {
  const byName = useInfiniteQuery(folderPages(path, BY_NAME));
  const isOnePage = byName.data?.pages.length === 1 && !byName.hasNextPage;
  const asksServer = byName.data !== undefined && !isOnePage && !isSameSort(sort, BY_NAME);
  const sorted = useInfiniteQuery({ ...folderPages(path, sort), enabled: asksServer });
  const shown = asksServer && sorted.data ? sorted : byName;
  const { data } = shown;
  const entries = useMemo(() => {
    const loaded = withoutRepeats(data?.pages ?? []);
    return isOnePage ? sortEntries(loaded, sort) : loaded;
  }, [data, isOnePage, sort]);
  return {
    entries,
    total: Math.max(entries.length, data?.pages.at(-1)?.total ?? 0),
    isPending: byName.isPending,
    error: byName.data ? undefined : byName.error,
    hasMore: shown.hasNextPage,
    moreError: shown.isFetchNextPageError && !shown.isFetching ? shown.error : undefined,
    refetch: () => void shown.refetch(),
    loadMore: () => {
      if (!shown.isFetching) void shown.fetchNextPage();
    },
    loadAll: async () => {
      let now = await shown.fetchNextPage({ cancelRefetch: false });
      while (now.hasNextPage && !now.isError) now = await shown.fetchNextPage({ cancelRefetch: false });
      return withoutRepeats(now.data?.pages ?? []);
    },
  };
}

/** An entry whose place changed between two pages is on both. */
function withoutRepeats(pages: readonly { readonly entries: readonly FileEntry[] }[]): readonly FileEntry[] {
  const [first] = pages;
  if (pages.length < 2) return first?.entries ?? [];
  return [...new Map(pages.flatMap(({ entries }) => entries).map((entry) => [entry.path, entry])).values()];
}
