import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast, toastError } from '../ui/toast.tsx';

/** An action on one of several items, which the user confirms in a `ConfirmDialog`. A toast has its error. */
export function useConfirmed<Item>({
  act,
  done,
  refresh,
}: {
  act: (item: Item) => Promise<unknown>;
  /** The text of a toast after it. */
  done?: string;
  refresh: () => Promise<unknown>;
}) {
  const [item, setItem] = useState<Item>();
  const { mutate, isPending } = useMutation({
    mutationFn: act,
    onSuccess: () => done !== undefined && toast({ text: done }),
    onError: toastError,
    onSettled: async (_done, _error, acted) => {
      // The user may have closed the dialog meanwhile, and opened it for another item.
      setItem((now) => (now === acted ? undefined : now));
      await refresh();
    },
  });
  return {
    /** The one that the dialog is about; undefined while it is closed. */
    item,
    ask: (next: Item) => setItem(() => next),
    /** Properties of the dialog. */
    dialog: {
      busy: isPending,
      onConfirm: () => item !== undefined && mutate(item),
      onClose: () => setItem(undefined),
    },
  };
}
