import type { Change } from '@croft/workspace';

/** Where the content that a change left is now. */
export interface ContentSource {
  /** The later change for which the trash keeps it; undefined if the file still has it. */
  readonly kept?: Change;
  /** The path of the file now. */
  readonly path: string;
  /** The version that it must have. */
  readonly version: string;
  /** Later changes added text after so many bytes. */
  readonly length?: number;
}

/**
 * Follows the content that a change left through later changes.
 *
 * @param all changes, oldest first
 * @param next the index of the first one after this change
 * @returns `undefined` if the content was removed with a folder, or if another program removed the file
 */
export function contentSource(change: Change, all: readonly Change[], next: number): ContentSource | undefined {
  let path = change.to ?? change.path;
  let version = change.after;
  let length: number | undefined;
  if (version === undefined) return undefined;
  for (let i = next; i < all.length; i++) {
    const later = all[i] as Change;
    const { kind } = later;
    if (kind === 'mkdir' || !isAtOrBelow(path, later.path)) continue;
    if (kind === 'move') {
      path = `${later.to}${path.slice(later.path.length)}`;
      continue;
    }
    if (path !== later.path || kind === 'create') return undefined;
    if (kind === 'append') {
      length ??= later.length;
      version = later.after ?? version;
      continue;
    }
    return { kept: later, path, version, ...(length !== undefined && { length }) };
  }
  return { path, version, ...(length !== undefined && { length }) };
}

const isAtOrBelow = (path: string, other: string): boolean => path === other || path.startsWith(`${other}/`);
