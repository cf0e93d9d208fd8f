import { useMemo, useRef } from 'react';
import { makeFolder } from '../api/files.ts';
import { upload } from '../api/upload.ts';
import { toast } from '../ui/toast.tsx';
import type { PickedFiles } from './picked-files.ts';
import { createUploadQueue, type Replaced } from './upload-queue.ts';

/** With many small files a folder is looked at again this often, not after each. */
const REFRESH_EVERY_MS = 400;
/** Looking through a folder takes longer than nothing: then it is said. */
const PATIENCE_MS = 400;

/** The uploads of a page: the queue, and how files get into it. */
export function useUploads(refresh: () => Promise<void>, onReplaced: (replaced: readonly Replaced[]) => void) {
  const latest = useRef({ refresh, onReplaced });
  latest.current = { refresh, onReplaced };
  const queue = useMemo(() => {
    let isDue = false;
    const refreshSoon = () => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        void latest.current.refresh();
      }, REFRESH_EVERY_MS);
    };
    return createUploadQueue({
      send: upload,
      makeFolder,
      onStored: refreshSoon,
      onReplaced: (replaced) => latest.current.onReplaced(replaced),
    });
  }, []);
  async function add(folder: string, picked: PickedFiles | Promise<PickedFiles>) {
    let hide: (() => void) | undefined;
    const slow = setTimeout(() => {
      hide = toast({ text: 'Reading the folder …', stayMs: Number.POSITIVE_INFINITY });
    }, PATIENCE_MS);
    const { files, unreadable, isCut } = await picked;
    clearTimeout(slow);
    hide?.();
    queue.add(folder, files);
    if (isCut)
      toast({ tone: 'bad', text: `Only the first ${files.length.toLocaleString('en')} files are uploaded at once.` });
    if (unreadable > 0)
      toast({
        tone: 'bad',
        text: unreadable === 1 ? 'One file could not be read.' : `${unreadable} files could not be read.`,
      });
  }
  return { queue, add };
}
