import { useQuery } from '@tanstack/react-query';
import { FilePlus, FolderPlus, FolderUp, Upload } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { type FileEntry, usageQuery } from '../api/files.ts';
import { loadable } from '../routing/loadable.tsx';
import { Link } from '../routing/link.tsx';
import { navigate, usePlace } from '../routing/location.ts';
import { PageHead } from '../shell/page-head.tsx';
import type { PageProps } from '../shell/page-props.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { cn } from '../ui/class-names.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { NameText } from '../ui/name-text.tsx';
import { DropZone } from './drop-zone.tsx';
import { FilePreview } from './file-preview.tsx';
import { FolderView } from './folder-view.tsx';
import { MountNotice } from './mount-notice.tsx';
import { NameDialog } from './name-dialog.tsx';
import { nameOf } from './paths.ts';
import { pickedFrom, type PickedFiles, pickFolder } from './picked-files.ts';
import { type FilesPlace, readFilesPlace, toFilesPlace, TREE_NAME } from './place-of-files.ts';
import { QuotaLine } from './quota-line.tsx';
import { SearchResults } from './search-results.tsx';
import { useUserUploads } from './uploads-context.ts';
import { audienceOf, mountOf, useMounts } from './use-mounts.ts';
import { useFileActions } from './use-file-actions.tsx';
import { FilesBar } from './files-bar.tsx';

const TextFileDialog = loadable(() => import('./text-file-dialog.tsx').then((m) => m.TextFileDialog));
const EditTextDialog = loadable(() => import('./edit-text-dialog.tsx').then((m) => m.EditTextDialog));

/** Files: start reading here. The address says which folder, file and search are shown; everything below follows it. */
export function FilesPage({ me }: PageProps) {
  const place = readFilesPlace(usePlace());
  const { add, undo } = useUserUploads();
  const actions = useFileActions(undo);
  const mounts = useMounts();
  const isReadOnly = mountOf(mounts, place.dir)?.readOnly ?? false;
  const [asked, setAsked] = useState<{ kind: 'folder' | 'text' } | { kind: 'rename' | 'edit'; entry: FileEntry }>();
  const picker = useRef<HTMLInputElement>(null);
  // Each pause while the user types changes the search: going back leads to the view before all of them.
  const go = (change: Partial<FilesPlace>) =>
    navigate(toFilesPlace({ ...place, ...change }), { replace: Boolean(place.q && change.q) });
  const take = (files: PickedFiles | Promise<PickedFiles>) => void add(place.dir, files);
  const pick = () => picker.current?.click();
  const edit = (entry: FileEntry) => setAsked({ kind: 'edit', entry });
  async function rename(entry: FileEntry, name: string) {
    const path = await actions.rename(entry, name);
    if (place.file === entry.path) go({ file: path });
  }
  function remove(entries: readonly FileEntry[]) {
    if (entries.some(({ path }) => path === place.file)) go({ file: undefined });
    return actions.remove(entries);
  }
  return (
    <div className={cn('lg:grid', place.file ? 'lg:grid-cols-[minmax(0,1fr)_minmax(20rem,42%)]' : 'lg:grid-cols-1')}>
      <div
        className={cn(
          '@container mx-auto grid w-full min-w-0 max-w-6xl grid-cols-1 content-start gap-4 p-4 md:p-8',
          place.file && 'max-lg:hidden',
        )}
      >
        <PageHead
          title="Files"
          about={
            <>
              {audienceOf(me.autoLogin, mounts)}{' '}
              <Link
                to="/settings/activity"
                className="whitespace-nowrap text-accent-strong underline underline-offset-2"
              >
                Changes and undo
              </Link>
            </>
          }
          actions={
            !isReadOnly && (
              <AddButtons
                onFolder={() => setAsked({ kind: 'folder' })}
                onText={() => setAsked({ kind: 'text' })}
                onUploadFolder={() => pickFolder(take)}
                onUpload={pick}
              />
            )
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
        <MountNotice dir={place.dir} />
        <DropZone name={place.dir === '' ? TREE_NAME : nameOf(place.dir)} onFiles={isReadOnly ? undefined : take}>
          <Card aria-label="Files" className="min-h-64 overflow-clip">
            {place.q ? (
              <SearchResults place={place} onOther={(where) => go({ where })} />
            ) : (
              <FolderView
                place={place}
                onUpload={isReadOnly ? undefined : pick}
                onRename={(entry) => setAsked({ kind: 'rename', entry })}
                onEdit={edit}
                onDelete={(entries) => void remove(entries)}
                onDownload={actions.download}
              />
            )}
          </Card>
        </DropZone>
        <UsedSpace mount={mountOf(mounts, place.dir)?.name ?? ''} />
      </div>
      {place.file && (
        <FilePreview
          place={place}
          file={place.file}
          onEdit={isReadOnly ? undefined : edit}
          onClose={() => go({ file: undefined, line: undefined })}
        />
      )}
      {actions.unkept && (
        <ConfirmDialog
          title="Delete for good?"
          about={`${actions.unkept.reason} Deleting for good cannot be undone.`}
          action="Delete for good"
          busy={false}
          onConfirm={() => {
            actions.forgetUnkept();
            void actions.remove(actions.unkept?.entries ?? [], true);
          }}
          onClose={actions.forgetUnkept}
        />
      )}
      {asked?.kind === 'folder' && (
        <NameDialog
          title="New folder"
          action="Create"
          onName={(name) => actions.makeFolder(place.dir, name)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.kind === 'text' && (
        <Suspense>
          <TextFileDialog
            onCreate={async (name, text) => go({ file: await actions.makeTextFile(place.dir, name, text) })}
            onClose={() => setAsked(undefined)}
          />
        </Suspense>
      )}
      {asked?.kind === 'edit' && (
        <Suspense>
          <EditTextDialog
            path={asked.entry.path}
            onSaved={(undo) => actions.edited(asked.entry, undo)}
            onClose={() => setAsked(undefined)}
          />
        </Suspense>
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

/** Beside the title, buttons have their labels where there is room for both. */
const LABEL = 'max-sm:sr-only @min-[36rem]:@max-[52rem]:sr-only';

function AddButtons({
  onFolder,
  onText,
  onUploadFolder,
  onUpload,
}: {
  onFolder: () => void;
  onText: () => void;
  onUploadFolder: () => void;
  onUpload: () => void;
}) {
  return (
    <>
      <Button onClick={onFolder} title="New folder">
        <FolderPlus size={17} aria-hidden="true" /> <span className={LABEL}>New folder</span>
      </Button>
      <Button
        title="New file"
        onClick={onText}
        onPointerEnter={() => void TextFileDialog.preload()}
        onFocus={() => void TextFileDialog.preload()}
      >
        <FilePlus size={17} aria-hidden="true" /> <span className={LABEL}>New file</span>
      </Button>
      <Button onClick={onUploadFolder} title="Upload folder">
        <FolderUp size={17} aria-hidden="true" /> <span className={cn(LABEL, 'md:max-lg:sr-only')}>Upload folder</span>
      </Button>
      <Button look="primary" onClick={onUpload}>
        <Upload size={17} aria-hidden="true" /> Upload
      </Button>
    </>
  );
}

/** Of the files at the top, or of a mount: each has its own limit. */
function UsedSpace({ mount }: { mount: string }) {
  const { data } = useQuery(usageQuery(mount));
  return data ? <QuotaLine quota={data} /> : null;
}
