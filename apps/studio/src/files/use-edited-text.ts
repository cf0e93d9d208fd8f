import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { readTextFile, saveTextFile } from '../api/files.ts';
import { ApiError } from '../api/request.ts';
import { useUnsaved } from '../ui/use-unsaved.ts';
import { editorText } from './line-ends.ts';

/** The text of a file while a person edits it. A file that changed meanwhile is not replaced before the person decides. */
export function useEditedText(
  path: string,
  onSaved: (undo: string | undefined) => Promise<unknown>,
  onClose: () => void,
) {
  const session = useId();
  const file = useQuery({
    queryKey: ['edited-text', path, session],
    queryFn: async ({ signal }) => {
      const { text, tag } = await readTextFile(path, signal);
      return { ...editorText(text), tag };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const [typed, setTyped] = useState<string>();
  const { data } = file;
  const text = typed ?? data?.text ?? '';
  const isChanged = data !== undefined && text !== data.text;
  const unsaved = useUnsaved(isChanged, onClose);
  const save = useMutation({
    mutationFn: (overwrites: boolean) =>
      saveTextFile(path, data?.stored(text) ?? text, overwrites ? undefined : data?.tag),
    onSuccess: ({ undo }) => {
      onClose();
      return onSaved(undo);
    },
  });
  const isConflict = save.error instanceof ApiError && save.error.code === 'changed';
  return {
    isLoaded: data !== undefined,
    /** Why the file cannot be edited, or was not reloaded. */
    problem: file.error,
    text,
    setText(next: string) {
      setTyped(next);
      unsaved.stay();
    },
    isChanged,
    /** The file is another one by now: reload it, or overwrite it. */
    isConflict,
    saveError: save.error,
    isSaving: save.isPending,
    submit() {
      if (isChanged && !save.isPending && !isConflict) save.mutate(false);
    },
    overwrite: () => save.mutate(true),
    /** Reads the file again in place of the changes. */
    async reload() {
      const { isError } = await file.refetch();
      // Without the file of now, the text stays, and the choice too.
      if (isError) return;
      save.reset();
      setTyped(undefined);
    },
    /** Asks before changes are lost. */
    isLeaving: unsaved.isLeaving,
    leave: unsaved.leave,
  };
}
