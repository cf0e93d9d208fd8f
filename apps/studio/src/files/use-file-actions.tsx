import { type ReactNode, useEffect, useState } from 'react';
import {
  contentUrl,
  deleteFiles,
  type FileEntry,
  makeFolder,
  makeTextFile,
  MAX_DELETED,
  moveFile,
} from '../api/files.ts';
import { ApiError } from '../api/request.ts';
import { sentenceOf } from '../ui/state.tsx';
import { NameText } from '../ui/name-text.tsx';
import { toast, toastError } from '../ui/toast.tsx';
import { folderOf, joinPath, nameOf, renamedPath } from './paths.ts';
import type { Undo } from './use-undo.ts';

/** Actions on a folder's entries. Each refreshes the views; a deletion that fails shows a toast, or asks. */
export function useFileActions({ refresh, takeBack, offerUndo }: Undo) {
  const [unkept, setUnkept] = useState<{ entries: readonly FileEntry[]; reason: string }>();
  useUndoKey(takeBack);

  async function remove(entries: readonly FileEntry[], permanent = false) {
    const undos: (string | undefined)[] = [];
    let rest = entries;
    // An event may take the rows away before the server has answered: Ctrl+Z counts from then on.
    const before = takeBack.current;
    let isTakenBack = false;
    const takeBackLater = () => {
      isTakenBack = true;
    };
    takeBack.current = takeBackLater;
    try {
      while (rest.length > 0) {
        const batch = rest.slice(0, MAX_DELETED).map(({ path }) => path);
        const answer = await deleteFiles(batch, permanent);
        rest = rest.slice(batch.length);
        undos.unshift(answer.undo);
      }
    } catch (error) {
      const asks = error instanceof ApiError && error.code === 'not_undoable';
      if (asks) setUnkept({ entries: rest, reason: sentenceOf(error) });
      else toastError(error);
    }
    const count = entries.length - rest.length;
    const kept = undos.filter((id) => id !== undefined);
    if (takeBack.current === takeBackLater) takeBack.current = before;
    if (count > 0 && kept.length < undos.length) toast({ text: deletedText(entries, count) });
    else if (count > 0) {
      offerUndo(deletedText(entries, count), kept, count === 1 ? 'Restored.' : `Restored ${count} entries.`);
      if (isTakenBack) takeBack.current?.();
    }
    await refresh();
  }

  return {
    remove,
    /** Entries that the trash cannot keep, while the person decides whether to delete them for good. */
    unkept,
    forgetUnkept: () => setUnkept(undefined),
    async makeFolder(folder: string, name: string) {
      const path = joinPath(folder, name);
      await makeFolder(path);
      await refresh();
      return path;
    },
    async makeTextFile(folder: string, name: string, text: string) {
      const path = joinPath(folder, name);
      await makeTextFile(path, text);
      await refresh();
      return path;
    },
    /** A text was saved. `undo` is absent where the trash did not keep the old one. */
    async edited({ name }: FileEntry, undo: string | undefined) {
      const text = (
        <>
          Saved “<NameText name={name} />
          ”.
        </>
      );
      if (undo === undefined) toast({ text });
      else offerUndo(text, [undo], 'The old text was restored.');
      await refresh();
    },
    async rename(entry: FileEntry, name: string) {
      const path = renamedPath(entry.path, name);
      const { undo: id } = await moveFile(entry.path, path);
      await refresh();
      const text = movedText(entry, path);
      if (id === undefined) toast({ text });
      else offerUndo(text, [id], 'Moved back.');
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

function movedText({ path: old }: FileEntry, path: string): ReactNode {
  const folder = folderOf(path);
  const isMoved = folder !== folderOf(old);
  const place = isMoved ? folder : nameOf(path);
  if (isMoved && folder === '') return 'Moved to the top folder.';
  return (
    <>
      {isMoved ? 'Moved' : 'Renamed'} to “<NameText name={place} />
      ”.
    </>
  );
}

function deletedText([first]: readonly FileEntry[], count: number): ReactNode {
  if (count > 1) return `Deleted ${count} entries.`;
  return (
    <>
      Deleted “<NameText name={first?.name ?? ''} />
      ”.
    </>
  );
}

/** Ctrl+Z reverts the last deletion or replacement, except in a text field. */
function useUndoKey(takeBack: Undo['takeBack']) {
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
