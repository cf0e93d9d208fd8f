import type { FileEntry } from '../api/files.ts';

/** Actions on entries. */
export interface EntryActions {
  hrefOf: (entry: FileEntry) => string;
  onOpen: (entry: FileEntry) => void;
  onRename: (entry: FileEntry) => void;
  onEdit: (entry: FileEntry) => void;
  onDelete: (entries: readonly FileEntry[]) => void;
  onDownload: (entry: FileEntry) => void;
}

/** Other callbacks of a row. */
export interface RowActions extends EntryActions {
  onToggle: (entry: FileEntry) => void;
  /** Moves the keyboard focus to the row; with `extend` selects all rows in between. */
  onPoint: (entry: FileEntry, extend: boolean) => void;
}
