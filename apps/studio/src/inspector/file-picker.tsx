import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronRight, CornerLeftUp, Upload } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { type FileEntry, listingQuery } from '../api/files.ts';
import { upload } from '../api/upload.ts';
import { FileIcon } from '../files/file-icon.tsx';
import { formatBytes } from '../files/format.ts';
import { folderOf, joinPath } from '../files/paths.ts';
import { TREE_NAME } from '../files/place-of-files.ts';
import { sortEntries } from '../files/sort-entries.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { NameText } from '../ui/name-text.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { sentenceOf } from '../ui/state.tsx';

/** The user's files in a dialog. A click opens a folder or picks a file; a new file can be uploaded. */
export function FilePicker({
  value,
  onPick,
  onClose,
}: {
  /** The path that is picked now. The dialog opens in its folder. */
  value: string;
  onPick: (path: string) => void;
  onClose: () => void;
}) {
  const [folder, setFolder] = useState(() => folderOf(value));
  const listed = useQuery({ ...listingQuery(folder), placeholderData: keepPreviousData, retry: false });
  const entries = useMemo(() => sortEntries(listed.data?.entries ?? [], BY_NAME), [listed.data]);
  const box = useRef<HTMLDivElement>(null);
  function go(to: string) {
    // The clicked button is about to be removed. Without this, the focus would be lost with it.
    box.current?.focus({ preventScroll: true });
    setFolder(to);
  }
  // Outside of the form that opened it: Enter must not submit that form.
  return createPortal(
    <Dialog open title="Choose a file" onClose={onClose}>
      <div
        ref={box}
        role="group"
        tabIndex={-1}
        aria-label={`Files in ${folder === '' ? TREE_NAME : folder}`}
        className="overflow-clip rounded-md border border-line bg-surface outline-offset-2"
      >
        <div className="flex min-h-11 items-center gap-2 border-b border-line bg-sunken py-1 pr-1.5 pl-3">
          <p role="status" className="min-w-0 grow text-sm font-medium [overflow-wrap:anywhere]">
            <NameText name={folder === '' ? TREE_NAME : folder} />
          </p>
          {folder !== '' && (
            <Button small look="quiet" onClick={() => go(folderOf(folder))}>
              <CornerLeftUp size={16} aria-hidden="true" /> Up
            </Button>
          )}
        </div>
        {listed.error && !listed.data ? (
          <p role="alert" className="px-3 py-2.5 text-sm text-bad">
            {sentenceOf(listed.error)}
          </p>
        ) : !listed.data ? (
          <div className="p-3">
            <SkeletonLines label="Loading the folder" lines={4} />
          </div>
        ) : (
          <ul
            className={cn(
              'grid h-72 max-h-[50dvh] content-start overflow-y-auto py-1 transition-opacity',
              listed.isPlaceholderData && 'opacity-60',
            )}
          >
            {entries.map((entry) => (
              <li key={entry.path}>
                <EntryButton
                  entry={entry}
                  isPicked={entry.path === value}
                  onOpen={() => (entry.type === 'dir' ? go(entry.path) : onPick(entry.path))}
                />
              </li>
            ))}
            {entries.length === 0 && <li className="px-3 py-2 text-sm text-soft">This folder is empty.</li>}
            {listed.data.truncated && (
              <li className="px-3 py-2 text-sm text-soft">More files exist. Type the path into the field.</li>
            )}
          </ul>
        )}
      </div>
      <UploadFoot folder={folder} onPick={onPick} onClose={onClose} />
    </Dialog>,
    document.body,
  );
}

const BY_NAME = { by: 'name', descending: false } as const;

function EntryButton({ entry, isPicked, onOpen }: { entry: FileEntry; isPicked: boolean; onOpen: () => void }) {
  const { name, type, size } = entry;
  return (
    <button
      type="button"
      aria-current={isPicked || undefined}
      onClick={onOpen}
      className={cn(
        'flex min-h-9 w-full items-center gap-2.5 px-3 py-1 text-left hovered:bg-hover focus-visible:-outline-offset-2 max-sm:min-h-11',
        isPicked && 'bg-selected',
      )}
    >
      <FileIcon name={name} type={type} />
      <span className="min-w-0 grow truncate">
        <NameText name={name} />
      </span>
      {type === 'dir' ? (
        <ChevronRight aria-hidden="true" size={16} className="shrink-0 text-soft" />
      ) : (
        size !== null && <span className="shrink-0 text-sm text-soft">{formatBytes(size)}</span>
      )}
    </button>
  );
}

/** The buttons of the dialog. An uploaded file is picked; the upload ends with the dialog. */
function UploadFoot({
  folder,
  onPick,
  onClose,
}: {
  folder: string;
  onPick: (path: string) => void;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  async function store(file: File) {
    setIsBusy(true);
    setProblem(undefined);
    const path = joinPath(folder, file.name);
    running.current = new AbortController();
    const { signal } = running.current;
    try {
      await upload({ path, body: file, overwrite: false, permanent: false, onProgress: () => undefined, signal });
      await client.invalidateQueries({ queryKey: listingQuery(folder).queryKey });
      if (!signal.aborted) onPick(path);
    } catch (error) {
      setIsBusy(false);
      if (!signal.aborted) setProblem(`${file.name} was not uploaded. ${sentenceOf(error)}`);
    }
  }
  return (
    <>
      <p role="alert" className="mt-2 text-sm text-bad empty:hidden">
        {problem}
      </p>
      <input
        ref={input}
        type="file"
        hidden
        aria-hidden="true"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void store(file);
          event.target.value = '';
        }}
      />
      <DialogFoot>
        <Button busy={isBusy} onClick={() => input.current?.click()}>
          <Upload size={16} aria-hidden="true" /> Upload a file here
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </DialogFoot>
    </>
  );
}
