/** A file somebody picked or dropped, and where it goes below the folder that is shown. */
export interface Picked {
  readonly path: string;
  /** Absent for a folder that has nothing in it: those with something come with their files. */
  readonly file: File | undefined;
}

/** What was found in what was dropped. */
export interface PickedFiles {
  readonly files: readonly Picked[];
  /** How many could not be read. */
  readonly unreadable: number;
  /** There were more than are taken at once. */
  readonly isCut: boolean;
}

/** Files and empty folders of one drop. */
export const MAX_PICKED = 10_000;

/** Files chosen in the browser's dialog; those of a folder have their path in it. */
export function pickedFrom(list: Iterable<File>): PickedFiles {
  const files = [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return { files: files.slice(0, MAX_PICKED), unreadable: 0, isCut: files.length > MAX_PICKED };
}

/** Held while the dialog is open: a browser may forget one that is not on the page. */
let dialog: HTMLInputElement | undefined;

/** Asks for a folder in the browser's own dialog, and gives all that is in it. */
export function pickFolder(onFiles: (files: PickedFiles) => void): void {
  dialog = document.createElement('input');
  dialog.type = 'file';
  dialog.webkitdirectory = true;
  dialog.addEventListener('change', () => onFiles(pickedFrom(dialog?.files ?? [])));
  dialog.click();
}

/**
 * What a drop holds. Must be called while the event is handled: afterwards the browser has forgotten it. Folders are
 * walked then, a directory at a time.
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

/** All entries of a folder: a reader gives a hundred at a time. */
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
    // Not ours to read, or gone meanwhile.
    return undefined;
  }
}

function fileOf(entry: FileSystemEntry): Promise<File | undefined> {
  return new Promise((resolve) => {
    (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined));
  });
}
