import { useEffect, useMemo, useRef } from 'react';
import { makeFolder } from '../api/files.ts';
import { ApiError } from '../api/request.ts';
import { upload } from '../api/upload.ts';
import { toast } from '../ui/toast.tsx';
import type { PickedFiles } from './picked-files.ts';
import { createUploadQueue, type Replaced } from './upload-queue.ts';

/** With many small files a folder is looked at again this often, not after each. */
const REFRESH_EVERY_MS = 400;
/** Looking through a folder takes longer than nothing: then it is said. */
const PATIENCE_MS = 400;

/**
 * The uploads of a user: the queue, and how files get into it. While its component is hidden, because the session ended, or gone,
 * the queue starts no request: it would store the files of this user among those of another.
 */
export function useUploads(refresh: () => Promise<void>, onReplaced: (replaced: readonly Replaced[]) => void) {
  const latest = useRef({ refresh, onReplaced });
  latest.current = { refresh, onReplaced };
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const queue = useMemo(() => {
    const check = () => {
      if (!isShown.current) throw new ApiError('not_signed_in', 'The session ended before this file was sent.', 0);
    };
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
      async send(ask) {
        check();
        return upload(ask);
      },
      async makeFolder(path) {
        check();
        return makeFolder(path);
      },
      onStored: refreshSoon,
      // The next user is not offered to undo it.
      onReplaced: (replaced) => isShown.current && latest.current.onReplaced(replaced),
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
