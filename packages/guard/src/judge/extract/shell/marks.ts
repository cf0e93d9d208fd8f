/**
 * Values of the shell are strings in which characters of the private use area mark unknown or special parts.
 * `readCommand` treats a command that contains such a character itself as undecidable before other code reads it.
 */

/** Any text, including blanks and `/`. */
export const ANY = '\uE000';
/** Some text without `/` or a blank, and neither `.` nor `..`: a number, a hash, a date. */
export const ATOM = '\uE001';
/** The next character is an unquoted wildcard. */
export const GLOB = '\uE002';
/** The home directory: an unquoted `~` at the start, or `$HOME`. */
export const HOME = '\uE003';
/** The project root, independent of the current directory. */
export const ROOT = '\uE004';
/** The top of the git work tree: the root or a directory above it. */
export const TOP = '\uE005';
/** Follows `ANY` where the shell splits the unknown text into words, which may be options and further operands. */
export const SPLIT = '\uE006';

/** Before `ATOM`: the text may also be empty, because the program that prints it fails or the shell has no such variable. */
export const MAYBE = '\uE007';

export const HAS_MARK = /[\uE000-\uE00F]/;

/** One word of a command after expansion. */
export interface Field {
  readonly value: string;
  readonly written: string;
}

/** @returns a field whose value is known and equal to its written form. */
export function field(value: string, written = value): Field {
  return { value, written };
}

/** @returns the field with another value. */
export function withValue(from: Field, value: string): Field {
  return { value, written: from.written };
}

export function isUnknown(value: string): boolean {
  return value.includes(ANY);
}

/** @returns the text with wildcards as they were written, for use as plain text. */
export function withoutGlobMarks(value: string): string {
  return value.includes(GLOB) ? value.replaceAll(GLOB, '') : value;
}

export function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:|[\uE003\uE004\uE005])/.test(path);
}

/** @returns the path a value means in directory `cwd`. Keeps marks, and parts such as `..`. */
export function joinPath(cwd: string, value: string): string {
  if (isAbsolute(value) || cwd === '') return value;
  if (value === '' || value === '.') return cwd;
  return cwd.endsWith('/') ? cwd + value : `${cwd}/${value}`;
}

/** @returns the directory after `cd`, with `..` resolved as text, as the shell does it. */
export function changeDirectory(cwd: string, value: string): string {
  const joined = joinPath(cwd, value);
  const head = /^(?:[A-Za-z]:)?[/\\]+|^[\uE003-\uE005][^/]*\/?/.exec(joined)?.[0] ?? '';
  const parts: string[] = [];
  for (const part of joined.slice(head.length).split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '..' || !/[/\\]$/.test(head) || /^[\uE003-\uE005]/.test(head)) parts.push(part);
  }
  const rest = parts.join('/');
  if (rest === '') return head.length > 1 && head.endsWith('/') ? head.slice(0, -1) : head;
  return /^[\uE003-\uE005]/.test(head) && !head.endsWith('/') ? `${head}/${rest}` : head + rest;
}

/** @returns the current directory as an absolute path with marks; `ANY` if it may be one of several. */
export function currentDirectory(cwds: readonly string[]): string {
  const [cwd = ANY, ...others] = cwds;
  if (others.length > 0) return ANY;
  return isAbsolute(cwd) || isUnknown(cwd) ? cwd : joinPath(`${ROOT}/`, cwd).replace(/\/$/, '');
}

/** @returns the path that a value means if its unsure parts are empty; none if that leads nowhere else. */
export function emptied(value: string): readonly string[] {
  if (!value.includes(MAYBE)) return [];
  const path = value.replaceAll(MAYBE + ATOM, '');
  return (isAbsolute(path) && !isAbsolute(value)) || /(?:^|\/)\.\.(?:\/|$)/.test(path) ? [path] : [];
}

/** The known part of a path, and how certain it is. */
export interface PlacedPath {
  /** The path, or the known directory in which an unknown part begins; undefined if nothing is known. */
  readonly path: string | undefined;
  readonly isPattern: boolean;
  /** A part is unknown: unlike a wildcard, it may become a name that does not exist yet. */
  readonly isOpen: boolean;
  /** False if the path may be another one. */
  readonly isKnown: boolean;
}

/** @returns the path a value means in a directory, without marks. Both inputs may contain marks. */
export function placePath(cwd: string, value: string): PlacedPath {
  // A `~` that was not expanded was quoted: a file of that name.
  const own = value.startsWith('~') ? `./${value}` : value;
  let text = joinPath(cwd, own);
  let isKnown = true;
  let isPattern = text.includes(GLOB);
  const unknown = text.indexOf(ANY);
  if (unknown !== -1) {
    isKnown = false;
    const slash = text.lastIndexOf('/', unknown);
    if (slash === -1 && !text.startsWith(HOME)) return { path: undefined, isPattern: false, isOpen: true, isKnown };
    isPattern = true;
    text = `${text.slice(0, slash === -1 ? 1 : slash + 1)}*`;
  }
  if (text.startsWith(TOP)) return { path: undefined, isPattern, isOpen: true, isKnown: false };
  if (text.startsWith(ROOT)) text = text.slice(1).replace(/^\/+/, '');
  else if (text.startsWith(HOME)) text = `~${text.slice(1)}`;
  text = text
    .replaceAll(GLOB, '')
    .replaceAll(ATOM, '0')
    .replaceAll(SPLIT, '')
    .replaceAll(MAYBE, '')
    .replace(/[\uE003-\uE005]/g, '/~');
  return { path: text === '' ? '.' : text, isPattern, isOpen: unknown !== -1, isKnown };
}

/** Paths that are not files: the null device, the terminal, and open descriptors. */
export const NO_FILE = /^\/+(?:dev\/+(?:null|zero|full|stdin|stdout|stderr|tty|fd\/+\d+)|proc\/+self\/+fd\/+\d+)$/;

/** The paths of a program's own standard input. */
export const STANDARD_INPUT = /^\/+(?:dev\/+(?:stdin|fd\/+0)|proc\/+(?:self|thread-self)\/+fd\/+0)$/;
