import { useInfiniteQuery } from '@tanstack/react-query';
import { type ComponentProps, Suspense, useEffect } from 'react';
import { folderPages } from '../api/files.ts';
import { loadable } from '../routing/loadable.tsx';
import { navigate } from '../routing/location.ts';
import { folderOf } from './paths.ts';
import { type FilesPlace, toFilesPlace } from './place-of-files.ts';
import { BY_NAME } from './sort-entries.ts';

const PreviewPane = loadable(() => import('./preview-pane.tsx').then((m) => m.PreviewPane));
void PreviewPane.preload();

/** The preview of a file. Waits for the folder: only it tells how large the file is, and whether it is one. */
export function FilePreview({
  place,
  file,
  ...actions
}: Pick<ComponentProps<typeof PreviewPane>, 'onEdit' | 'onClose'> & { place: FilesPlace; file: string }) {
  const { data, isPending } = useInfiniteQuery(folderPages(folderOf(file), BY_NAME));
  const entry = data?.pages.flatMap(({ entries }) => entries).find(({ path }) => path === file);
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
