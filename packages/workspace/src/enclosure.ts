import type { BaseDirectory } from './base-directory.ts';
import { checkDenyList, type DenyList } from './deny-list.ts';
import { shorten, WorkspaceError } from './errors.ts';
import type { Limits } from './limits.ts';
import { checkNames, reservedSegment } from './names.ts';
import type { ChangeJournal } from './operations/journal.ts';
import type { Quota } from './quota.ts';
import { openRoot, type Root, relativeParts } from './resolve/root.ts';
import type { Trash } from './trash.ts';

/** What every operation works in: the held root and the rules that go with it. */
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
  /** Changes may lose content that the trash cannot keep: a person agreed. */
  readonly permanent?: boolean;
  /** Who makes the content of a change; a tool unless set. */
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
 * The rules of the reference, in its order: NUL, portable names, reserved segments, deny-list, boundary.
 * No I/O happens for a path that breaks one.
 *
 * @throws WorkspaceError `invalid`, `denied`, `outside`, `unavailable`
 */
export function checkPath(enclosure: Enclosure, path: string): CheckedPath {
  if (path.includes('\0')) throw new WorkspaceError('invalid', 'Path contains NUL byte');
  // Node would write it as U+FFFD: another name than the one that was judged.
  if (/\p{Surrogate}/u.test(path)) throw new WorkspaceError('invalid', 'Path is not valid Unicode text');
  if (Buffer.byteLength(path) > enclosure.limits.maxPathBytes) {
    throw new WorkspaceError(
      'invalid',
      `Path is too long (limit ${enclosure.limits.maxPathBytes} bytes): ${shorten(path)}`,
    );
  }
  enclosure.root.check();
  const inside = relativeParts(enclosure.root, path);
  // What lies above the workspace is the host's business: only the caller's own part is held to the name rules.
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
 * The same rules again on where the path really leads, which catches an innocent link to a protected file.
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

/** Deeper than walks go, nothing would be counted by a quota or could be deleted again. */
function requireDepth(enclosure: Enclosure, parts: readonly string[]): void {
  const { maxDepth } = enclosure.limits;
  if (parts.length > maxDepth) throw new WorkspaceError('invalid', `Path is too deep (limit ${maxDepth} levels)`);
}

/** The host path of `parts` below `root`. For operators, masks and records; never for a model. */
export function hostPath(root: Root, parts: readonly string[]): string {
  return parts.length === 0 ? root.path : `${root.path === '/' ? '' : root.path}/${parts.join('/')}`;
}

/** Whether `host` lies in a masked directory. A workspace below a mask (`<base>/workspaces/shared`) is itself open. */
export function isMasked(enclosure: Enclosure, host: string): boolean {
  return enclosure.masks.some(
    (mask) => isWithin(host, mask) && !(isWithin(enclosure.root.path, mask) && isWithin(host, enclosure.root.path)),
  );
}

/** Whether something in the directory `host` can be masked at all, so that not every name in it has to be asked of. */
export function mayHoldMasked(enclosure: Enclosure, host: string): boolean {
  return enclosure.masks.some((mask) => isWithin(mask, host) || isWithin(host, mask));
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

/**
 * How results and records name a place: below the workspace with `/`, or absolute where `restrict: false` led outside
 * it. Given back as a path, it leads there again.
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

/** Whether moving or deleting `host` would carry a masked directory along, or something on the way to it. */
export function holdsMask(enclosure: Enclosure, host: string): boolean {
  return enclosure.base?.pins.some((pin) => pin === host || pin.startsWith(`${host}/`)) ?? false;
}

/** The boundary error, in the reference's words. */
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
