import type { BaseDirectory } from './base-directory.ts';
import { checkDenyList, type DenyList } from './deny-list.ts';
import { shorten, WorkspaceError } from './errors.ts';
import type { Limits } from './limits.ts';
import { checkNames, reservedSegment } from './names.ts';
import type { ChangeJournal } from './operations/journal.ts';
import type { Quota } from './quota.ts';
import { openRoot, type Root, relativeParts } from './resolve/root.ts';
import type { Trash } from './trash.ts';

/** The context of every operation: the held root and the rules for paths below it. */
export interface Enclosure {
  readonly root: Root;
  /** Set by `restrict: false` only: absolute paths are resolved from the file system's root. */
  readonly ambient: Root | undefined;
  readonly readOnly: boolean;
  readonly denyList: DenyList;
  readonly durable: boolean;
  readonly base: BaseDirectory | undefined;
  /** Real host paths that do not exist for the caller (Croft's own base directory, by all its names). */
  readonly masks: readonly string[];
  /** Directory and file names left out of trees, lists and searches. */
  readonly ignoreNames: ReadonlySet<string>;
  readonly limits: Limits;
  readonly quota: Quota | undefined;
  readonly trash: Trash | undefined;
  /** Allows changes that lose content which the trash cannot keep. Set after a person agreed. */
  readonly permanent?: boolean;
  /** The author of the content of a change; a tool by default. */
  readonly author?: 'person';
  /** Where this one call records its changes before it makes them. */
  readonly journal?: ChangeJournal | undefined;
  /** Aborts when the workspace is closed. */
  readonly closing: AbortSignal;
}

/** A path that passed every rule that needs no I/O, split for resolution below `root`. */
export interface CheckedPath {
  /** As the caller wrote it: what messages and results echo. */
  readonly written: string;
  readonly root: Root;
  readonly parts: readonly string[];
}

/**
 * Checks a path in a fixed order, because the first rule that fails decides the error: NUL, Unicode, length, `~`, portable
 * names, reserved segments, deny-list, boundary. Does no I/O on the path.
 *
 * @throws WorkspaceError `invalid`, `denied`, `outside`, `unavailable`
 */
export function checkPath(enclosure: Enclosure, path: string): CheckedPath {
  if (path.includes('\0')) throw new WorkspaceError('invalid', 'Path contains NUL byte');
  // Node would write a lone surrogate as U+FFFD: the file would get another name than the one that was checked.
  if (/\p{Surrogate}/u.test(path)) throw new WorkspaceError('invalid', 'Path is not valid Unicode text');
  if (Buffer.byteLength(path) > enclosure.limits.maxPathBytes) {
    throw new WorkspaceError(
      'invalid',
      `Path is too long (limit ${enclosure.limits.maxPathBytes} bytes): ${shorten(path)}`,
    );
  }
  if (/^~(?:[\\/]|$)/.test(path)) {
    throw new WorkspaceError(
      'invalid',
      'Path begins with ~, and this workspace has no home directory. Give a path relative to the workspace, or ./~ for an entry of that name',
    );
  }
  enclosure.root.check();
  const inside = relativeParts(enclosure.root, path);
  // The name rules apply to the caller's part of the path only, not to the host's directories above the workspace.
  const judged = inside ?? path.split('/').filter((part) => part !== '' && part !== '.');
  checkNames(inside ? inside.join('/') : path);
  if (enclosure.denyList) checkDenyList(path, judged, enclosure.denyList);
  if (inside) {
    requireDepth(enclosure, inside);
    if (!enclosure.ambient) return { written: path, root: enclosure.root, parts: inside };
    if (inside.includes('..')) throw escapes(path);
    return { written: path, root: enclosure.ambient, parts: [...hostParts(enclosure.root), ...inside] };
  }
  if (!enclosure.ambient) throw escapes(path);
  return { written: path, root: enclosure.ambient, parts: relativeParts(enclosure.ambient, path) ?? [] };
}

/**
 * Applies the same rules to the real path, which catches an innocent-looking link to a protected file.
 *
 * @throws WorkspaceError `denied`, or `outside` for a masked directory
 */
export function checkResolved(enclosure: Enclosure, path: CheckedPath, parts: readonly string[]): void {
  // A path without links was already judged as written.
  if (parts !== path.parts) {
    const own = path.root === enclosure.ambient ? belowRoot(enclosure, parts) : parts;
    for (const part of own) {
      const reserved = reservedSegment(part);
      if (reserved) throw new WorkspaceError('denied', `Path component '${reserved}' is reserved`);
    }
    if (enclosure.denyList) checkDenyList(path.written, own, enclosure.denyList);
    if (path.root === enclosure.root) requireDepth(enclosure, own);
  }
  if (enclosure.masks.length > 0 && isMasked(enclosure, hostPath(path.root, parts))) throw escapes(path.written);
}

/** Walks do not reach deeper entries: a quota would not count them, and they could not be deleted again. */
function requireDepth(enclosure: Enclosure, parts: readonly string[]): void {
  const { maxDepth } = enclosure.limits;
  if (parts.length > maxDepth) throw new WorkspaceError('invalid', `Path is too deep (limit ${maxDepth} levels)`);
}

/** The host path of `parts` below `root`. For operators, masks and records; never for a model. */
export function hostPath(root: Root, parts: readonly string[]): string {
  return parts.length === 0 ? root.path : `${root.path === '/' ? '' : root.path}/${parts.join('/')}`;
}

/** Whether `host` is in a masked directory. A workspace below a mask (`<base>/workspaces/shared`) is itself open. */
export function isMasked(enclosure: Enclosure, host: string): boolean {
  return enclosure.masks.some(
    (mask) => isWithin(host, mask) && !(isWithin(enclosure.root.path, mask) && isWithin(host, enclosure.root.path)),
  );
}

/** Whether anything in the directory `host` can be masked. If not, callers need not check each name in it. */
export function mayHoldMasked(enclosure: Enclosure, host: string): boolean {
  return enclosure.masks.some((mask) => isWithin(mask, host) || isWithin(host, mask));
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

/**
 * Names a place for results and records: relative to the workspace with `/`, or absolute if `restrict: false` led
 * outside it. Used as a path, the name leads to the same place.
 */
export function placeName(enclosure: Enclosure, path: CheckedPath, parts: readonly string[]): string {
  if (path.root !== enclosure.ambient) return parts.join('/');
  const own = belowRoot(enclosure, parts);
  return own === parts ? `/${parts.join('/')}` : own.join('/');
}

/** Whether `parts` lie below the workspace's root; always, unless `restrict: false` resolved them from the file system's. */
export function isInWorkspace(enclosure: Enclosure, path: CheckedPath, parts: readonly string[]): boolean {
  return path.root !== enclosure.ambient || belowRoot(enclosure, parts) !== parts;
}

/** Whether moving or deleting `host` would also move or delete a masked directory, or a parent of one. */
export function holdsMask(enclosure: Enclosure, host: string): boolean {
  return enclosure.base?.pins.some((pin) => pin === host || pin.startsWith(`${host}/`)) ?? false;
}

/** The boundary error, with the fixed text of docs/contracts/file-tools.md. */
export function escapes(path: string, code: 'outside' | 'link_outside' = 'outside'): WorkspaceError {
  return new WorkspaceError(code, `Path escapes workspace boundary: ${shorten(path)}`);
}

/** @throws WorkspaceError `read_only` */
export function requireWritable(enclosure: Enclosure): void {
  if (enclosure.readOnly) throw new WorkspaceError('read_only', 'This workspace is read-only');
}

/** Opens the root that `restrict: false` resolves absolute paths from. */
export function openAmbientRoot(): Root {
  return openRoot('/');
}

function hostParts(root: Root): string[] {
  return root.path.split('/').filter(Boolean);
}

function belowRoot(enclosure: Enclosure, parts: readonly string[]): readonly string[] {
  const above = hostParts(enclosure.root);
  return above.length > 0 && above.every((part, i) => parts[i] === part) ? parts.slice(above.length) : parts;
}
