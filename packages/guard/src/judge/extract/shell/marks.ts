/**
 * Values of the shell are strings in which five characters of the private use area stand for what is no text. A command
 * that holds such a character itself is taken as undecidable by `readCommand` before anything else sees it.
 */

/** Any text at all, blanks and `/` included. */
export const ANY = '\uE000';
/** Some text without `/` or a blank that is neither `.` nor `..`: a number, a hash, a date. */
export const ATOM = '\uE001';
/** The next character is an unquoted wildcard. */
export const GLOB = '\uE002';
/** The home directory: an unquoted `~` at the start, or `$HOME`. */
export const HOME = '\uE003';
/** The project root, whatever the current directory is. */
export const ROOT = '\uE004';
/** The top of the git work tree, which may be the root or lie above it. */
export const TOP = '\uE005';
/** Stands behind `ANY` where the unknown text is split into words: it may hold options and further operands. */
export const SPLIT = '\uE006';

export const HAS_MARK = /[\uE000-\uE00F]/;

/** One word of a command after expansion. */
export interface Field {
  readonly value: string;
  readonly written: string;
}

/** @returns a field whose text is known and was written as it is. */
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

/** @returns the path a value means when the shell stands in `cwd`, marks kept; parts such as `..` kept. */
export function joinPath(cwd: string, value: string): string {
  if (isAbsolute(value) || cwd === '') return value;
  if (value === '' || value === '.') return cwd;
  return cwd.endsWith('/') ? cwd + value : `${cwd}/${value}`;
}

/** @returns the directory `cd` goes to: `..` undone by its letters, as the shell does it. */
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

/** What is known of the place a value means. */
export interface PlacedPath {
  /** The path, or the known directory an unknown part begins in; undefined when nothing is known. */
  readonly path: string | undefined;
  readonly isPattern: boolean;
  /** A part of it is not known: unlike a wildcard, it may become a name that is not there yet. */
  readonly isOpen: boolean;
  /** False when the path may be another one. */
  readonly isKnown: boolean;
}

/** @returns the path a value means in a directory, free of marks. Both may hold marks. */
export function placePath(cwd: string, value: string): PlacedPath {
  // A `~` that is still one was quoted: a file of that name.
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
    .replace(/[\uE003-\uE005]/g, '/~');
  return { path: text === '' ? '.' : text, isPattern, isOpen: unknown !== -1, isKnown };
}

/** Targets that are no files: the null device, the terminal, and descriptors that are open already. */
export const NO_FILE = /^\/+(?:dev\/+(?:null|zero|full|stdin|stdout|stderr|tty|fd\/+\d+)|proc\/+self\/+fd\/+\d+)$/;

/** The names a program's own standard input has. */
export const STANDARD_INPUT = /^\/+(?:dev\/+(?:stdin|fd\/+0)|proc\/+(?:self|thread-self)\/+fd\/+0)$/;
