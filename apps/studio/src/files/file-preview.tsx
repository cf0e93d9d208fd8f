import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ComponentProps, Suspense, useEffect } from 'react';
import { type FileEntry, folderPages, sizeQuery } from '../api/files.ts';
import { loadable } from '../routing/loadable.tsx';
import { navigate } from '../routing/location.ts';
import { folderOf, nameOf } from './paths.ts';
import { type FilesPlace, toFilesPlace } from './place-of-files.ts';
import { BY_NAME } from './sort-entries.ts';

const PreviewPane = loadable(() => import('./preview-pane.tsx').then((m) => m.PreviewPane));
void PreviewPane.preload();

/** The preview of a file. Waits for the folder, which tells how large the file is, and whether it is one. */
export function FilePreview({
  place,
  file,
  ...actions
}: Pick<ComponentProps<typeof PreviewPane>, 'onEdit' | 'onClose'> & { place: FilesPlace; file: string }) {
  const { entry, isPending } = useEntry(file);
  const isFolder = entry?.type === 'dir';
  useEffect(() => {
    if (isFolder) navigate(toFilesPlace({ dir: file }), { replace: true });
  }, [isFolder, file]);
  return (
    <div className="bg-surface max-md:-mb-2 max-lg:h-[calc(100dvh-6.8rem)] md:max-lg:h-dvh lg:sticky lg:top-0 lg:h-dvh lg:border-l lg:border-line">
      {!isPending && !isFolder && (
        <Suspense>
          <PreviewPane path={file} entry={entry} line={place.line} {...actions} />
        </Suspense>
      )}
    </div>
  );
}

/** The entry of a file. One that the loaded pages of its folder do not list has its size, and not when it was changed. */
function useEntry(path: string): { entry: FileEntry | undefined; isPending: boolean } {
  const folder = useInfiniteQuery(folderPages(folderOf(path), BY_NAME));
  const listed = folder.data?.pages.flatMap(({ entries }) => entries).find((each) => each.path === path);
  const size = useQuery({ ...sizeQuery(path), enabled: !folder.isPending && !listed });
  const asked = size.data === undefined ? undefined : { name: nameOf(path), path, size: size.data };
  return {
    entry: listed ?? (asked && { ...asked, type: 'file', modifiedAt: null }),
    isPending: folder.isPending || (!listed && size.isPending),
  };
}
