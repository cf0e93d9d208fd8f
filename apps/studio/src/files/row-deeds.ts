import type { FileEntry } from '../api/files.ts';

/** What can be done to entries. */
export interface RowDeeds {
  hrefOf: (entry: FileEntry) => string;
  onOpen: (entry: FileEntry) => void;
  onRename: (entry: FileEntry) => void;
  onDelete: (entries: readonly FileEntry[]) => void;
  onDownload: (entry: FileEntry) => void;
}

/** What a row reports besides. */
export interface RowActs extends RowDeeds {
  onToggle: (entry: FileEntry) => void;
  /** The keyboard goes there; with `extend` all rows on the way are chosen. */
  onPoint: (entry: FileEntry, extend: boolean) => void;
}
