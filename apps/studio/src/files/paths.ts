/** The path of an entry of a folder; the root is the empty path. */
export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The folder an entry is in. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Splits a name at its last dot into stem and extension. A leading dot does not start an extension. */
export function splitName(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}

/** A name that is not in `taken`: `report.md`, `report (2).md`, `report (3).md` … */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const [stem, ending] = splitName(name);
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${stem} (${count})${ending}`;
  return free;
}

const DEVICE = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)/i;

/**
 * The reason why a new name is not allowed, as a sentence; undefined if it is. The rule of the server (`newNameProblem`),
 * which checks again; a test compares the two.
 */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name.';
  if (name === '.' || name === '..') return 'A name cannot be only dots.';
  if (/[/\\]/.test(name)) return 'A name cannot contain a slash.';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'A name cannot contain a line break or another control character.';
  const bad = /[<>:"|?*]/.exec(name)?.[0];
  if (bad !== undefined) return `A name cannot contain ${bad}`;
  if (/[. ]$/.test(name)) return 'A name cannot end with a dot or a space.';
  if (DEVICE.test(name)) return 'This name is reserved on Windows. Choose another one.';
  if (new TextEncoder().encode(name).length > 255) return 'The name is too long.';
  return undefined;
}

/** The same for a name with folders before it, as {@link renamedPath} reads it. */
export const pathProblem = (name: string): string | undefined =>
  name
    .replace(/^\//, '')
    .split('/')
    .map(nameProblem)
    .find((problem) => problem !== undefined);

/** The path of an entry with a new name. Folders before the name move it: from its folder, or from the top after a slash. */
export const renamedPath = (path: string, name: string): string =>
  name.startsWith('/') ? name.slice(1) : joinPath(folderOf(path), name);

/** The kind of preview for a file, by its extension. */
export function kindOf(name: string): 'image' | 'video' | 'audio' | 'markdown' | 'other' {
  const ending = splitName(name.toLowerCase())[1];
  if (/^\.(png|jpe?g|gif|webp)$/.test(ending)) return 'image';
  if (/^\.(mp4|m4v|webm|ogv)$/.test(ending)) return 'video';
  if (/^\.(mp3|m4a|ogg|oga|opus|wav|flac)$/.test(ending)) return 'audio';
  return /^\.(md|markdown)$/.test(ending) ? 'markdown' : 'other';
}

/** A larger text is not shown or edited here. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** Formats that are not text. Of other files, reading them says whether they are. */
const BINARY = /\.(pdf|docx?|xlsx?|pptx?|odt|ods|zip|gz|tar|7z|bin|exe|dll|so|wasm|sqlite|db|ico|bmp|avif|heic)$/i;

/** Whether the page offers to edit a file. */
export function isEditable({ name, type, size, isFixed }: EditableFacts): boolean {
  if (type !== 'file' || isFixed === true || (size ?? 0) > MAX_TEXT_BYTES || BINARY.test(name)) return false;
  return kindOf(name) === 'other' || kindOf(name) === 'markdown';
}

interface EditableFacts {
  readonly name: string;
  readonly type: string;
  readonly size: number | null;
  readonly isFixed?: boolean;
}

/** Resolves a link in a file against its folder; undefined if it leaves the root or leads to another server. */
export function resolveLink(folder: string, href: string): string | undefined {
  if (/^([a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(href)) return undefined;
  const [path = ''] = href.split(/[?#]/);
  const parts = href.startsWith('/') ? [] : folder.split('/').filter(Boolean);
  for (const raw of path.split('/')) {
    const part = decode(raw);
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.join('/');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
