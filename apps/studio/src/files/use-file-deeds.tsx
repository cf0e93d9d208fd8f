import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { contentUrl, deleteFile, type FileEntry, makeFolder, moveFile, type Root, undoDelete } from '../api/files.ts';
import { sentenceOf } from '../ui/state.tsx';
import { NameText } from '../ui/name-text.tsx';
import { toast } from '../ui/toast.tsx';
import { folderOf, joinPath } from './paths.ts';

/** What one can do in a folder. Each tells the views to look again; failures of a deletion are said in a toast. */
export function useFileDeeds(root: Root) {
  const client = useQueryClient();
  // Texts are kept by the version of their file: a new one is asked for under another key.
  const refresh = useCallback(
    (of: Root) =>
      client.invalidateQueries({ queryKey: ['files', of], predicate: ({ queryKey }) => queryKey[2] !== 'text' }),
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
    await refresh(root);
  }

  async function remove(entries: readonly FileEntry[]) {
    const undos: string[] = [];
    let gone = 0;
    let problem: unknown;
    for (const { path } of entries) {
      try {
        const answer = await deleteFile(root, path);
        gone += 1;
        if (answer.undo) undos.unshift(answer.undo);
      } catch (error) {
        problem = error;
      }
    }
    await refresh(root);
    if (problem !== undefined) toast({ tone: 'bad', text: sentenceOf(problem) });
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
      await makeFolder(root, path);
      await refresh(root);
      return path;
    },
    async rename(entry: FileEntry, name: string) {
      const path = joinPath(folderOf(entry.path), name);
      await moveFile(root, entry.path, path);
      await refresh(root);
      return path;
    },
    download({ path, name }: FileEntry) {
      const link = document.createElement('a');
      link.href = contentUrl(root, path, { download: true });
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
