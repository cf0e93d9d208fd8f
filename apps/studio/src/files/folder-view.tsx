import { useQuery } from '@tanstack/react-query';
import { FolderOpen, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type FileEntry, listingQuery } from '../api/files.ts';
import { ApiError } from '../api/request.ts';
import { Link } from '../routing/link.tsx';
import { navigate } from '../routing/location.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Callout, EmptyState, ErrorState } from '../ui/state.tsx';
import { FileTable } from './file-table.tsx';
import { folderOf } from './paths.ts';
import { type FilesPlace, toFilesPlace } from './place-of-files.ts';
import { rootName } from './search-results.tsx';
import { keepAmong, NONE, type Selection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { type Sort, sortEntries } from './sort-entries.ts';
import type { RowDeeds } from './row-deeds.ts';

/** A folder: its entries, or why there are none. */
export function FolderView({
  place,
  onUpload,
  ...deeds
}: Omit<RowDeeds, 'onOpen' | 'hrefOf'> & { place: FilesPlace; onUpload: () => void }) {
  const { data, error, isPending, refetch } = useQuery(listingQuery(place.root, place.dir));
  const [sort, setSort] = useState<Sort>({ by: 'name', descending: false });
  const entries = useMemo(() => sortEntries(data?.entries ?? [], sort), [data, sort]);
  const [selection, setSelection] = useSelectionOf(entries, `${place.root}/${place.dir}`);
  if (isPending) return <TableSkeleton />;
  if (!data) return <FolderError place={place} error={error} onRetry={() => void refetch()} />;
  if (entries.length === 0)
    return (
      <EmptyState
        icon={<FolderOpen size={22} />}
        title={place.dir === '' ? 'Nothing here yet' : 'This folder is empty'}
        action={
          <Button look="primary" onClick={onUpload}>
            <Upload size={16} aria-hidden="true" /> Upload files
          </Button>
        }
      >
        {place.root === 'mine'
          ? 'Drop files here, or let an agent write some. Only you and your agents see them.'
          : 'Drop files here. Everybody on this server sees them, and so do their agents.'}
      </EmptyState>
    );
  const toPlace = (entry: FileEntry) =>
    toFilesPlace(entry.type === 'dir' ? { root: place.root, dir: entry.path } : { ...place, file: entry.path });
  return (
    <div className="relative">
      <SelectionBar
        entries={entries.filter(({ path }) => selection.chosen.has(path))}
        onClear={() => setSelection({ ...selection, chosen: new Set() })}
        {...deeds}
      />
      <FileTable
        label={`Files in ${place.dir === '' ? rootName(place.root) : place.dir}`}
        entries={entries}
        selection={selection}
        onSelect={setSelection}
        sort={sort}
        onSort={setSort}
        shown={place.file}
        hrefOf={toPlace}
        onOpen={(entry) => navigate(toPlace(entry))}
        onUp={() => place.dir !== '' && navigate(toFilesPlace({ root: place.root, dir: folderOf(place.dir) }))}
        {...deeds}
      />
      {data.truncated && (
        <div className="p-4">
          <Callout>
            Only the first {entries.length.toLocaleString('en')} entries are shown. Search finds the others.
          </Callout>
        </div>
      )}
    </div>
  );
}

/** The selection of a folder: begins anew in another one, and follows what comes and goes. */
function useSelectionOf(entries: readonly FileEntry[], folder: string) {
  const rows = useMemo(() => entries.map(({ path }) => path), [entries]);
  const [state, setState] = useState({ folder, rows, selection: NONE });
  let now = state;
  // While drawing, not after it: there is no moment without a row for the keyboard to be on.
  if (state.folder !== folder || state.rows !== rows) {
    const selection = state.folder === folder ? keepAmong(state.selection, state.rows, rows) : NONE;
    now = { folder, rows, selection };
    setState(now);
  }
  return [now.selection, (selection: Selection) => setState({ ...now, selection })] as const;
}

function FolderError({ place, error, onRetry }: { place: FilesPlace; error: unknown; onRetry: () => void }) {
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <ErrorState
      title={isGone ? 'This folder is not here' : 'The folder cannot be shown'}
      error={error}
      onRetry={isGone ? undefined : onRetry}
      action={
        place.dir !== '' && (
          <Link to={toFilesPlace({ root: place.root, dir: '' })} className={buttonClass(isGone ? 'primary' : 'plain')}>
            Go to {rootName(place.root)}
          </Link>
        )
      }
    />
  );
}

function TableSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading the folder</span>
      <div className="h-[41px] border-b border-line" />
      {['w-44', 'w-60', 'w-36', 'w-52', 'w-40', 'w-56'].map((width) => (
        <div key={width} className="flex h-[45px] items-center gap-4 border-b border-line/70 px-4 last:border-0">
          <Skeleton className="size-[18px]" />
          <Skeleton className={`h-4 max-w-[60%] ${width}`} />
          <Skeleton className="ml-auto h-4 w-20 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}
