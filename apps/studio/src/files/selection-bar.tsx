import { Download, Pencil, Trash2, X } from 'lucide-react';
import type { FileEntry } from '../api/files.ts';
import { Button, IconButton } from '../ui/button.tsx';
import type { EntryActions } from './row-actions.ts';

/**
 * The actions on the selected entries. Covers the table head, so that no row moves when the first is selected, and stays visible
 * while the folder scrolls.
 */
export function SelectionBar({
  entries,
  onClear,
  onRename,
  onDelete,
  onDownload,
}: Omit<EntryActions, 'onOpen' | 'hrefOf'> & { entries: readonly FileEntry[]; onClear: () => void }) {
  const [only] = entries;
  if (!only) return null;
  const isFree = !entries.some(({ isFixed }) => isFixed);
  const files = entries.filter(({ type }) => type === 'file');
  return (
    <div className="sticky top-0 z-10 h-0">
      <div role="toolbar" aria-label="Selection" className="ml-11 flex h-10 items-center gap-1 bg-surface pr-2 pl-1.5">
        <span role="status" className="mr-auto text-sm font-medium">
          {entries.length.toLocaleString('en')} selected
        </span>
        {files.length === entries.length && (
          <Button small look="quiet" onClick={() => files.forEach(onDownload)}>
            <Download size={16} aria-hidden="true" /> <span className="max-sm:sr-only">Download</span>
          </Button>
        )}
        {entries.length === 1 && isFree && (
          <Button small look="quiet" onClick={() => onRename(only)}>
            <Pencil size={16} aria-hidden="true" /> <span className="max-sm:sr-only">Rename or move</span>
          </Button>
        )}
        {isFree && (
          <Button small look="quiet" className="text-bad!" onClick={() => leaveBy(() => onDelete(entries))}>
            <Trash2 size={16} aria-hidden="true" /> <span className="max-sm:sr-only">Delete</span>
          </Button>
        )}
        <IconButton label="Clear the selection" className="size-8" onClick={() => leaveBy(onClear)}>
          <X size={16} />
        </IconButton>
      </div>
    </div>
  );
}

/** Acts on the selection after the focus is in the table: the bar goes away with the selection, and the focus would be lost with it. */
function leaveBy(act: () => void) {
  document.querySelector<HTMLElement>('[data-focus-home]')?.focus({ preventScroll: true });
  act();
}
