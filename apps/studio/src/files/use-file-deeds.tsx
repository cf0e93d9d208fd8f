import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { contentUrl, deleteFile, type FileEntry, makeFolder, moveFile, undoDelete } from '../api/files.ts';
import { ApiError } from '../api/request.ts';
import { sentenceOf } from '../ui/state.tsx';
import { NameText } from '../ui/name-text.tsx';
import { toast } from '../ui/toast.tsx';
import { folderOf, joinPath } from './paths.ts';

/** What one can do in a folder. Each tells the views to look again; failures of a deletion are said in a toast. */
export function useFileDeeds() {
  const client = useQueryClient();
  // Texts are kept by the version of their file: a new one is asked for under another key.
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: ['files'], predicate: ({ queryKey }) => queryKey[1] !== 'text' }),
    [client],
  );
  const takeBack = useRef<(() => void) | undefined>(undefined);
  useUndoKey(takeBack);

  async function undo(ids: readonly string[]) {
    takeBack.current = undefined;
    try {
      for (const id of ids) await undoDelete(id);
      toast({ text: ids.length === 1 ? 'It is back.' : `All ${ids.length} are back.` });
    } catch (error) {
      toast({ tone: 'bad', text: sentenceOf(error) });
    }
    await refresh();
  }

  async function remove(entries: readonly FileEntry[], permanent = false) {
    const undos: string[] = [];
    let gone = 0;
    let problem: unknown;
    const tooLarge: FileEntry[] = [];
    for (const entry of entries) {
      try {
        const answer = await deleteFile(entry.path, permanent);
        gone += 1;
        if (answer.undo) undos.unshift(answer.undo);
      } catch (error) {
        problem = error;
        if (error instanceof ApiError && error.code === 'not_undoable') tooLarge.push(entry);
      }
    }
    await refresh();
    if (problem !== undefined) {
      const action = { label: 'Delete for good', run: () => void remove(tooLarge, true) };
      toast({ tone: 'bad', text: sentenceOf(problem), ...(tooLarge.length > 0 && { action }) });
    }
    if (gone === 0) return;
    const text =
      gone === 1 ? (
        <>
          Deleted “<NameText name={entries[0]?.name ?? ''} />
          ”.
        </>
      ) : (
        `Deleted ${gone} things.`
      );
    if (undos.length === 0) {
      toast({ text });
      return;
    }
    const run = () => void undo(undos);
    const hide = toast({ text, action: { label: 'Undo', run } });
    takeBack.current = () => {
      hide();
      run();
    };
  }

  return {
    refresh,
    remove,
    async makeFolder(folder: string, name: string) {
      const path = joinPath(folder, name);
      await makeFolder(path);
      await refresh();
      return path;
    },
    async rename(entry: FileEntry, name: string) {
      const path = joinPath(folderOf(entry.path), name);
      await moveFile(entry.path, path);
      await refresh();
      return path;
    },
    download({ path, name }: FileEntry) {
      const link = document.createElement('a');
      link.href = contentUrl(path, { download: true });
      link.download = name;
      link.click();
    },
  };
}

/** Ctrl+Z takes back the last deletion, unless one writes somewhere. */
function useUndoKey(takeBack: React.RefObject<(() => void) | undefined>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      if ((event.target as HTMLElement).closest('input, textarea, dialog') || !takeBack.current) return;
      event.preventDefault();
      takeBack.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [takeBack]);
}
