/** A picked or dropped file, and its path below the current folder. */
export interface Picked {
  readonly path: string;
  /** Absent for an empty folder. Other folders are created with their files. */
  readonly file: File | undefined;
}

/** The files found in a drop. */
export interface PickedFiles {
  readonly files: readonly Picked[];
  /** How many could not be read. */
  readonly unreadable: number;
  /** Whether there were more files than the limit. */
  readonly isCut: boolean;
}

/** Files and empty folders of one drop. */
export const MAX_PICKED = 10_000;

/** Files from the browser's dialog, with their path in a chosen folder. */
export function pickedFrom(list: Iterable<File>): PickedFiles {
  const files = [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return { files: files.slice(0, MAX_PICKED), unreadable: 0, isCut: files.length > MAX_PICKED };
}

/** Keeps the input while the dialog is open, because browsers may collect one that is not on the page. */
let dialog: HTMLInputElement | undefined;

/** Asks for a folder in the browser's own dialog, and returns all its files. */
export function pickFolder(onFiles: (files: PickedFiles) => void): void {
  dialog = document.createElement('input');
  dialog.type = 'file';
  dialog.webkitdirectory = true;
  dialog.addEventListener('change', () => onFiles(pickedFrom(dialog?.files ?? [])));
  dialog.click();
}

/**
 * Reads the files of a drop. Call it while the event is handled, because the browser clears the data afterwards. Then walks folders,
 * one directory at a time.
 */
export function readDrop(transfer: DataTransfer, maxFiles: number = MAX_PICKED): Promise<PickedFiles> {
  const loose: Picked[] = [];
  const folders: FileSystemDirectoryEntry[] = [];
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry?.();
    const file = entry?.isDirectory ? undefined : (item.getAsFile() ?? undefined);
    if (entry?.isDirectory) folders.push(entry as FileSystemDirectoryEntry);
    else if (file) loose.push({ path: file.name, file });
  }
  return walk(loose, folders, maxFiles);
}

async function walk(
  loose: readonly Picked[],
  folders: readonly FileSystemDirectoryEntry[],
  maxFiles: number,
): Promise<PickedFiles> {
  const files: Picked[] = loose.slice(0, maxFiles);
  let unreadable = 0;
  const left: { folder: FileSystemDirectoryEntry; path: string }[] = folders
    .map((folder) => ({ folder, path: folder.name }))
    .reverse();
  while (files.length < maxFiles) {
    const at = left.pop();
    if (at === undefined) break;
    const { folder, path } = at;
    const entries = await entriesOf(folder);
    if (entries === undefined) unreadable += 1;
    else if (entries.length === 0) files.push({ path, file: undefined });
    const found = (entries ?? []).filter(({ isDirectory }) => !isDirectory).slice(0, maxFiles - files.length + 1);
    for (const { entry, file } of await Promise.all(
      found.map(async (entry) => ({ entry, file: await fileOf(entry) })),
    )) {
      if (file) files.push({ path: `${path}/${entry.name}`, file });
      else unreadable += 1;
    }
    for (const entry of (entries ?? []).filter(({ isDirectory }) => isDirectory).reverse())
      left.push({ folder: entry as FileSystemDirectoryEntry, path: `${path}/${entry.name}` });
  }
  const isCut = left.length > 0 || files.length > maxFiles || loose.length > maxFiles;
  return { files: files.slice(0, maxFiles), unreadable, isCut };
}

/** Reads all entries of a folder; a reader returns a hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[] | undefined> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  try {
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return all;
      all.push(...some);
    }
  } catch {
    // Not readable, or deleted meanwhile.
    return undefined;
  }
}

function fileOf(entry: FileSystemEntry): Promise<File | undefined> {
  return new Promise((resolve) => {
    (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined));
  });
}
