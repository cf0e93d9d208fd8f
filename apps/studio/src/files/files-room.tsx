import { useQuery } from '@tanstack/react-query';
import { FolderPlus, FolderUp, Upload } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { type FileEntry, listingQuery, type Root, type SearchIn, usageQuery } from '../api/files.ts';
import { navigate, usePlace } from '../routing/location.ts';
import { RoomHead } from '../shell/room-head.tsx';
import { Breadcrumbs } from '../ui/breadcrumbs.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { cn } from '../ui/class-names.ts';
import { NameText } from '../ui/name-text.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { DropZone } from './drop-zone.tsx';
import { FolderView } from './folder-view.tsx';
import { NameDialog } from './name-dialog.tsx';
import { folderOf, nameOf } from './paths.ts';
import { pickedFrom, type PickedFiles, pickFolder } from './picked-files.ts';
import { type FilesPlace, readFilesPlace, toFilesPlace } from './place-of-files.ts';
import { QuotaLine } from './quota-line.tsx';
import { rootName, SearchResults } from './search-results.tsx';
import { SearchBox } from './search-box.tsx';
import { UploadPanel } from './upload-panel.tsx';
import { useFileDeeds } from './use-file-deeds.tsx';
import { useUploads } from './use-uploads.ts';

const PreviewPane = lazy(() => import('./preview-pane.tsx').then((m) => ({ default: m.PreviewPane })));

const ROOTS = [
  { value: 'mine', label: 'Mine' },
  { value: 'shared', label: 'Shared' },
] as const;

/** Files: start reading here. The address says which folder, file and search are shown; everything below follows it. */
export function FilesRoom() {
  const place = readFilesPlace(usePlace());
  const deeds = useFileDeeds(place.root);
  const [asked, setAsked] = useState<{ kind: 'folder' } | { kind: 'rename'; entry: FileEntry }>();
  const { queue, add } = useUploads(deeds.refresh);
  const picker = useRef<HTMLInputElement>(null);
  const go = (change: Partial<FilesPlace>) => navigate(toFilesPlace({ ...place, ...change }));
  const take = (files: PickedFiles | Promise<PickedFiles>) => void add(place.root, place.dir, files);
  const pick = () => picker.current?.click();
  async function rename(entry: FileEntry, name: string) {
    const path = await deeds.rename(entry, name);
    if (place.file === entry.path) go({ file: path });
  }
  function remove(entries: readonly FileEntry[]) {
    if (entries.some(({ path }) => path === place.file)) go({ file: undefined });
    return deeds.remove(entries);
  }
  return (
    <div className={cn('lg:grid', place.file ? 'lg:grid-cols-[minmax(0,1fr)_minmax(20rem,42%)]' : 'lg:grid-cols-1')}>
      <div
        className={cn(
          'mx-auto grid w-full min-w-0 max-w-6xl grid-cols-1 content-start gap-4 p-4 md:p-8',
          place.file && 'max-lg:hidden',
        )}
      >
        <RoomHead
          title="Files"
          actions={
            <>
              <Button onClick={() => setAsked({ kind: 'folder' })}>
                <FolderPlus size={17} aria-hidden="true" /> <span className="max-sm:sr-only">New folder</span>
              </Button>
              <Button onClick={() => pickFolder(take)}>
                <FolderUp size={17} aria-hidden="true" /> <span className="max-sm:sr-only">Upload folder</span>
              </Button>
              <Button look="primary" onClick={pick}>
                <Upload size={17} aria-hidden="true" /> Upload
              </Button>
            </>
          }
        />
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-hidden="true"
          onChange={(event) => {
            take(pickedFrom(event.target.files ?? []));
            event.target.value = '';
          }}
        />
        <FilesBar place={place} go={go} />
        <DropZone name={place.dir === '' ? rootName(place.root) : nameOf(place.dir)} onFiles={take}>
          <Card aria-label="Files" className="min-h-64 overflow-clip">
            {place.q ? (
              <SearchResults place={place} onOther={(where) => go({ where })} />
            ) : (
              <FolderView
                place={place}
                onUpload={pick}
                onRename={(entry) => setAsked({ kind: 'rename', entry })}
                onDelete={(entries) => void remove(entries)}
                onDownload={deeds.download}
              />
            )}
          </Card>
        </DropZone>
        <UsedSpace root={place.root} />
      </div>
      {place.file && (
        <Preview place={place} file={place.file} onClose={() => go({ file: undefined, line: undefined })} />
      )}
      <UploadPanel queue={queue} />
      {asked?.kind === 'folder' && (
        <NameDialog
          title="New folder"
          action="Create"
          onName={(name) => deeds.makeFolder(place.dir, name)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.kind === 'rename' && (
        <NameDialog
          title={
            <>
              Rename “<NameText name={asked.entry.name} />”
            </>
          }
          action="Rename"
          before={asked.entry.name}
          onName={(name) => rename(asked.entry, name)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

/** Which root, which folder, what is looked for. */
function FilesBar({ place, go }: { place: FilesPlace; go: (change: Partial<FilesPlace>) => void }) {
  const steps = [{ name: rootName(place.root), to: toFilesPlace({ root: place.root, dir: '' }) }];
  const parts = place.dir === '' ? [] : place.dir.split('/');
  for (const [index, name] of parts.entries())
    steps.push({ name, to: toFilesPlace({ root: place.root, dir: parts.slice(0, index + 1).join('/') }) });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
        <Segmented
          label="Whose files"
          value={place.root}
          options={ROOTS}
          onChange={(root: Root) => navigate(toFilesPlace({ root, dir: '', q: place.q, where: place.where }))}
        />
        {place.q ? (
          <p className="text-soft">Searching all of {rootName(place.root)}</p>
        ) : (
          parts.length > 0 && <Breadcrumbs label="Folders" steps={steps} />
        )}
      </div>
      <SearchBox
        q={place.q ?? ''}
        where={place.where ?? 'name'}
        onSearch={(q: string, where: SearchIn) => go({ q, where, ...(q === '' ? { line: undefined } : {}) })}
      />
    </div>
  );
}

function UsedSpace({ root }: { root: Root }) {
  const { data } = useQuery(usageQuery(root));
  return data ? <QuotaLine quota={data} /> : null;
}

/** Waits for the folder: only it tells how large the file is, and whether it is one. */
function Preview({ place, file, onClose }: { place: FilesPlace; file: string; onClose: () => void }) {
  const { data, isPending } = useQuery(listingQuery(place.root, folderOf(file)));
  const entry = data?.entries.find(({ path }) => path === file);
  const isFolder = entry?.type === 'dir';
  useEffect(() => {
    if (isFolder) navigate(toFilesPlace({ root: place.root, dir: file }), { replace: true });
  }, [isFolder, place.root, file]);
  return (
    <div className="bg-surface max-md:-mb-2 max-lg:h-[calc(100dvh-6.8rem)] md:max-lg:h-dvh lg:sticky lg:top-0 lg:h-dvh lg:border-l lg:border-line">
      {!isPending && !isFolder && (
        <Suspense>
          <PreviewPane root={place.root} path={file} entry={entry} line={place.line} onClose={onClose} />
        </Suspense>
      )}
    </div>
  );
}
