import { useMemo, useRef } from 'react';
import { makeFolder, type Root } from '../api/files.ts';
import { upload } from '../api/upload.ts';
import { toast } from '../ui/toast.tsx';
import type { PickedFiles } from './picked-files.ts';
import { createUploadQueue } from './upload-queue.ts';

/** With many small files a folder is looked at again this often, not after each. */
const REFRESH_EVERY_MS = 400;
/** Looking through a folder takes longer than nothing: then it is said. */
const PATIENCE_MS = 400;

/** The uploads of a room: the queue, and how files get into it. */
export function useUploads(refresh: (root: Root) => Promise<void>) {
  const onStored = useRef(refresh);
  onStored.current = refresh;
  const queue = useMemo(() => {
    const due = new Map<Root, ReturnType<typeof setTimeout>>();
    const refreshSoon = (root: Root) => {
      if (due.has(root)) return;
      const run = () => {
        due.delete(root);
        void onStored.current(root);
      };
      due.set(root, setTimeout(run, REFRESH_EVERY_MS));
    };
    return createUploadQueue({ send: upload, makeFolder, onStored: refreshSoon });
  }, []);
  async function add(root: Root, folder: string, picked: PickedFiles | Promise<PickedFiles>) {
    let hide: (() => void) | undefined;
    const slow = setTimeout(() => {
      hide = toast({ text: 'Looking through the folder …', stayMs: Number.POSITIVE_INFINITY });
    }, PATIENCE_MS);
    const { files, unreadable, isCut } = await picked;
    clearTimeout(slow);
    hide?.();
    queue.add(root, folder, files);
    if (isCut)
      toast({ tone: 'bad', text: `Only the first ${files.length.toLocaleString('en')} files are taken at once.` });
    if (unreadable > 0)
      toast({ tone: 'bad', text: unreadable === 1 ? 'One could not be read.' : `${unreadable} could not be read.` });
  }
  return { queue, add };
}
