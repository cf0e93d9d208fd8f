import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef } from 'react';
import { undoChange } from '../api/files.ts';
import { toast, toastError } from '../ui/toast.tsx';

/** Reverts changes of files, and refreshes the views of files. */
export function useUndo() {
  const client = useQueryClient();
  // Texts are kept by the version of their file: a new one is asked for under another key.
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: ['files'], predicate: ({ queryKey }) => queryKey[1] !== 'text' }),
    [client],
  );
  const takeBack = useRef<(() => void) | undefined>(undefined);

  async function undo(ids: readonly string[], done: string) {
    takeBack.current = undefined;
    try {
      for (const id of ids) await undoChange(id);
      toast({ text: done });
    } catch (error) {
      toastError(error);
    }
    await refresh();
  }

  return {
    refresh,
    /** Reverts the latest change, until it is reverted. */
    takeBack,
    /** Says what happened and offers Undo, also by `takeBack`. `done` is shown afterwards. */
    offerUndo(text: ReactNode, ids: readonly string[], done: string) {
      const run = () => void undo(ids, done);
      const hide = toast({ text, action: { label: 'Undo', run } });
      takeBack.current = () => {
        hide();
        run();
      };
    },
  };
}

export type Undo = ReturnType<typeof useUndo>;
