import type { ReactNode } from 'react';
import { NameText } from '../ui/name-text.tsx';
import { nameOf } from './paths.ts';
import { UploadPanel } from './upload-panel.tsx';
import type { Replaced } from './upload-queue.ts';
import { UploadsContext } from './uploads-context.ts';
import { useUndo } from './use-undo.ts';
import { useUploads } from './use-uploads.ts';

/** The uploads of the signed-in user, on all pages: they go on, ask and report when the page Files is left. */
export function Uploads({ children }: { children: ReactNode }) {
  const undo = useUndo();
  const { queue, add } = useUploads(undo.refresh, (replaced) => {
    const ids = replaced.map(({ undo: id }) => id).toReversed();
    undo.offerUndo(
      replacedText(replaced),
      ids,
      ids.length === 1 ? 'The old file was restored.' : 'The old files were restored.',
    );
  });
  return (
    <UploadsContext value={{ add, undo }}>
      {children}
      <UploadPanel queue={queue} />
    </UploadsContext>
  );
}

function replacedText(replaced: readonly Replaced[]): ReactNode {
  if (replaced.length > 1) return `Replaced ${replaced.length} files.`;
  return (
    <>
      Replaced “<NameText name={nameOf(replaced[0]?.path ?? '')} />
      ”.
    </>
  );
}
