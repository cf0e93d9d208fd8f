import { FolderOpen, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { FileEntry, FilesMount } from '../api/files.ts';
import { ApiError } from '../api/request.ts';
import { Link } from '../routing/link.tsx';
import { navigate } from '../routing/location.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Callout, EmptyState, ErrorState, sentenceOf } from '../ui/state.tsx';
import { FileTable } from './file-table.tsx';
import { folderOf } from './paths.ts';
import { type FilesPlace, toFilesPlace, TREE_NAME } from './place-of-files.ts';
import { keepAmong, NONE, type Selection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { BY_NAME, type Sort } from './sort-entries.ts';
import { useFolder } from './use-folder.ts';
import type { EntryActions } from './row-actions.ts';
import { isFixed, mountOf, noteOf, useMounts } from './use-mounts.ts';

/** A folder: its entries, or why there are none. */
export function FolderView({
  place,
  onUpload,
  onRename,
  onEdit,
  onDelete,
  onDownload,
}: Omit<EntryActions, 'onOpen' | 'hrefOf'> & { place: FilesPlace; onUpload: (() => void) | undefined }) {
  const [sort, setSort] = useState<Sort>(BY_NAME);
  const folder = useFolder(place.dir, sort);
  const mounts = useMounts();
  const entries = useMemo(() => folder.entries.map((entry) => withMount(entry, mounts)), [folder.entries, mounts]);
  const [selection, setSelection] = useSelectionOf(entries, place.dir);
  const chosen = useMemo(
    () => (selection.chosen.size === 0 ? [] : entries.filter(({ path }) => selection.chosen.has(path))),
    [entries, selection.chosen],
  );
  const actions = {
    onDownload,
    onEdit,
    onRename: (entry: FileEntry) => {
      if (!entry.isFixed) onRename(entry);
    },
    onDelete: (asked: readonly FileEntry[]) => {
      const free = asked.filter(({ isFixed: isKept }) => !isKept);
      if (free.length > 0) onDelete(free);
    },
  };
  if (folder.isPending) return <TableSkeleton />;
  if (folder.error) return <FolderError place={place} error={folder.error} onRetry={folder.refetch} />;
  if (entries.length === 0)
    return (
      <EmptyState
        icon={<FolderOpen size={22} />}
        title={place.dir === '' ? 'Nothing here yet' : 'This folder is empty'}
        action={
          onUpload && (
            <Button look="primary" onClick={onUpload}>
              <Upload size={16} aria-hidden="true" /> Upload files
            </Button>
          )
        }
      >
        {onUpload && 'Drop files here, or let an agent write some.'}
      </EmptyState>
    );
  const toPlace = (entry: FileEntry) =>
    toFilesPlace(entry.type === 'dir' ? { dir: entry.path } : { ...place, file: entry.path });
  return (
    <div className="relative">
      <SelectionBar entries={chosen} onClear={() => setSelection({ ...selection, chosen: new Set() })} {...actions} />
      <FileTable
        label={`Files in ${place.dir === '' ? TREE_NAME : place.dir}`}
        entries={entries}
        total={folder.total}
        // A failed request is not repeated by itself: it would fail again at once.
        onMore={folder.hasMore && !folder.moreError ? folder.loadMore : undefined}
        onAll={folder.hasMore ? folder.loadAll : undefined}
        selection={selection}
        onSelect={setSelection}
        sort={sort}
        onSort={setSort}
        shown={place.file}
        hrefOf={toPlace}
        onOpen={(entry) => navigate(toPlace(entry))}
        onUp={() => place.dir !== '' && navigate(toFilesPlace({ dir: folderOf(place.dir) }))}
        {...actions}
      />
      {folder.moreError !== undefined && <MoreError error={folder.moreError} onRetry={folder.loadMore} />}
    </div>
  );
}

/** Stays in the window: rows that are not loaded leave a gap that can be longer than it. */
function MoreError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="sticky bottom-0 z-10 bg-surface p-2 max-md:bottom-14">
      <Callout tone="bad" role="alert">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 grow">The other entries of the folder are not loaded. {sentenceOf(error)}</p>
          <Button small onClick={onRetry}>
            Try again
          </Button>
        </div>
      </Callout>
    </div>
  );
}

/** Marks an entry that a mount fixes. Any other entry stays the same object, so that its row does not render again. */
function withMount(entry: FileEntry, mounts: readonly FilesMount[]): FileEntry {
  if (!isFixed(mounts, entry.path)) return entry;
  const mount = mountOf(mounts, entry.path);
  const note = mount?.name === entry.path ? noteOf(mount) : undefined;
  return { ...entry, isFixed: true, ...(note !== undefined && { note }) };
}

/** The selection of a folder. It starts empty in another folder, and follows entries that are added and removed. */
function useSelectionOf(entries: readonly FileEntry[], folder: string) {
  const rows = useMemo(() => entries.map(({ path }) => path), [entries]);
  const [state, setState] = useState({ folder, rows, selection: NONE });
  let now = state;
  // During the render, not in an effect: the keyboard always has a row to be on.
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
      title={isGone ? 'Folder not found' : 'The folder cannot be shown'}
      error={error}
      onRetry={isGone ? undefined : onRetry}
      action={
        place.dir !== '' && (
          <Link to={toFilesPlace({ dir: '' })} className={buttonClass(isGone ? 'primary' : 'plain')}>
            Go to all files
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
