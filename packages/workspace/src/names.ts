import { WorkspaceError } from './errors.ts';
import { isTempName } from './temp-name.ts';

/** Segments kept for Croft itself in every workspace; compared without case. */
export const RESERVED_SEGMENTS = ['.lfsig', '.components'] as const;

const DEVICE_NAMES = new Set(['CON', 'PRN', 'AUX', 'NUL', ...numbered('COM'), ...numbered('LPT')]);
const FORBIDDEN = /[<>"|?*]/g;
/** There a colon names a second stream of a file: `.env::$DATA` is `.env` by another name. */
const FORBIDDEN_ON_NTFS = /[<>"|?*:]/g;

function numbered(prefix: string): string[] {
  return Array.from({ length: 9 }, (_, i) => `${prefix}${i + 1}`);
}

/** A name in single quotes, as Python's `repr` prints it. */
export function quoted(name: string): string {
  return name.includes("'") && !name.includes('"')
    ? `"${name}"`
    : `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/**
 * Refuses names that mean something else on another system: NUL bytes, Windows device names, forbidden characters,
 * trailing dots and spaces (NTFS drops them, so `x ` would silently be `x`), and the reserved segments.
 * Applied on every host, so that a flow made on one machine does not break on another.
 *
 * @throws WorkspaceError `invalid`, or `denied` for a reserved segment
 */
export function checkNames(path: string): void {
  // Long clean paths are the common case: one pass decides whether any rule can apply at all.
  if (path.includes('\0')) throw new WorkspaceError('invalid', 'Path contains NUL byte');
  for (const part of path.split(/[\\/]/)) {
    if (part === '' || part === '.' || part === '..' || /^[A-Za-z]:$/.test(part)) continue;
    checkName(part);
  }
  for (const part of path.split(/[\\/]/)) {
    const reserved = reservedSegment(part);
    if (reserved) throw new WorkspaceError('denied', `Path component '${reserved}' is reserved`);
  }
}

function checkName(part: string): void {
  const dot = part.indexOf('.');
  const stem = (dot === -1 ? part : part.slice(0, dot)).toUpperCase();
  if (DEVICE_NAMES.has(stem)) {
    throw new WorkspaceError('invalid', `Path component ${quoted(part)} is a Windows reserved name`);
  }
  const bad = part.match(process.platform === 'win32' ? FORBIDDEN_ON_NTFS : FORBIDDEN);
  if (bad) {
    const list = [...new Set(bad)].sort().map(quoted).join(', ');
    throw new WorkspaceError('invalid', `Path component ${quoted(part)} contains forbidden character(s): [${list}]`);
  }
  if (part.endsWith('.') || part.endsWith(' ')) {
    throw new WorkspaceError(
      'invalid',
      `Path component ${quoted(part)} has trailing dot or space (silently stripped on Windows)`,
    );
  }
}

/** One form for names that some file system takes for the same: `SSH`, `ssh` and `\u017fsh` (long s) are one. */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** The canonical reserved segment `name` collides with, in any case, or `undefined`. */
export function reservedSegment(name: string): string | undefined {
  if (name.charCodeAt(0) !== 46) return undefined;
  const folded = foldName(name);
  // A temporary file must not be read, stored or used as a target.
  if (isTempName(folded)) return folded;
  return RESERVED_SEGMENTS.find((reserved) => reserved === folded);
}
