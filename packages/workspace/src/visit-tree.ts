import { closeSync, type Dirent, openSync, readdirSync } from 'node:fs';
import { type DenyList, deniedName } from './deny-list.ts';
import { isRefusal } from './errors.ts';
import { reservedSegment } from './names.ts';
import { LIST } from './resolve/native.ts';
import type { Stand } from './search/thread-place.ts';
import { isTempName } from './temp-name.ts';

/** One name met on a walk. Links are reported, never followed. */
export interface VisitedEntry {
  readonly name: string;
  /** Path below the start of the walk, with `/`. */
  readonly path: string;
  readonly type: EntryType;
  /** A path for `fs` calls on the entry, valid until the visitor returns. Use O_NOFOLLOW. */
  readonly at: string;
  readonly depth: number;
}

export type EntryType = 'file' | 'directory' | 'link' | 'other';

/** `descend` is the default for a directory, `skip` leaves it closed, `stop` ends the walk. */
export type Verdict = 'skip' | 'stop' | undefined | void;

/** The limits of a walk, and the entries that it leaves out. */
export interface VisitOptions<Context = undefined> {
  readonly maxDepth: number;
  readonly denyList: DenyList;
  readonly ignoreNames?: ReadonlySet<string>;
  readonly directoriesFirst?: boolean;
  /** Also report reserved and temporary names. */
  readonly showReserved?: boolean;
  /** Creates the context of a directory from its parent's when the directory is entered. */
  readonly enter?: (
    parent: Context | undefined,
    path: string,
    at: string,
    entries: readonly Dirent[],
  ) => Context | undefined;
  /** Whether an entry is of interest at all; asked first, before what costs more. */
  readonly only?: (path: string, type: EntryType) => boolean;
  /** Whether an entry (path below the start; `at` for `fs` calls) is left out, by its directory's context. */
  readonly leaveOut?: (
    path: string,
    name: string,
    isDirectory: boolean,
    context: Context | undefined,
    at: string,
  ) => boolean;
  /** Whether to leave a held directory unvisited, whatever its name. The visitor has received its name by then. */
  readonly shut?: ((fd: number) => boolean) | undefined;
  /**
   * If given, and the start is held, names are resolved from this thread's working directory, which the walk changes
   * from directory to directory. A directory to which it cannot change is read through its descriptor.
   */
  readonly stand?: Stand | undefined;
  /** Called for each directory that this process may not list. */
  readonly onRefused?: (() => void) | undefined;
  /** The context above the start. */
  readonly context?: Context | undefined;
}

/** How a walk ended. */
export interface VisitOutcome {
  /** Directories deeper than `maxDepth` were left closed. */
  readonly tooDeep: boolean;
  readonly stopped: boolean;
}

/**
 * Walks a held directory depth first, entries by name. Every directory is opened from its parent's descriptor with
 * O_NOFOLLOW, so a directory replaced by a link during the walk is left out, never entered. Leaves out entries that
 * vanish or cannot be read. Never reports protected, reserved and temporary names.
 *
 * @param self a path of the directory: `/proc/self/fd/N`, a name below one, or a host path where there is no /proc. It
 * is opened without following a link; if that fails, nothing is visited
 */
export function visitTree<Context = undefined>(
  self: string,
  options: VisitOptions<Context>,
  onEntry: (entry: VisitedEntry) => Verdict,
): VisitOutcome {
  const { shut } = options;
  const byDescriptor = self.startsWith('/proc/self/fd/');
  /** The prefix with which the names in a held directory can be opened from anywhere. */
  const wayInto = (fd: number, path: string) => (byDescriptor ? `/proc/self/fd/${fd}` : path);
  let tooDeep = false;
  /** Pass the last argument only if `fd` is this thread's working directory: names are then opened without `way`. */
  const visit = (fd: number, way: string, path: string, depth: number, above: Context | undefined, stand?: Stand) => {
    let at = stand ? '.' : way;
    const entries = readEntries(at);
    const context = options.enter ? options.enter(above, path, at, entries) : above;
    const kept: { name: string; type: EntryType; below: string }[] = [];
    for (const entry of entries) {
      const name = entry.name;
      const type = typeOf(entry);
      const below = path === '' ? name : `${path}/${name}`;
      if (options.only && !options.only(below, type)) continue;
      if (isHidden(name, options) || options.leaveOut?.(below, name, type === 'directory', context, `${at}/${name}`))
        continue;
      kept.push({ name, type, below });
    }
    for (const { name, type, below } of inOrder(kept, options.directoriesFirst ?? false)) {
      const entryAt = at === '.' ? name : `${at}/${name}`;
      const verdict = onEntry({ name, path: below, type, at: entryAt, depth });
      if (verdict === 'stop') return false;
      if (type !== 'directory' || verdict === 'skip') continue;
      if (depth >= options.maxDepth) {
        tooDeep = true;
        continue;
      }
      const child = openChild(entryAt, shut, options.onRefused);
      if (child < 0) continue;
      try {
        const stands = at === '.' && stand?.(child) ? stand : undefined;
        if (!visit(child, wayInto(child, entryAt), below, depth + 1, context, stands)) return false;
        // From the wrong place the wrong files would be read.
        if (stands && !stand?.(fd)) at = way;
      } finally {
        closeSync(child);
      }
    }
    return true;
  };
  // Held for the walk, so that the start cannot be exchanged between its checks and its reading.
  const top = openChild(/^\/proc\/self\/fd\/\d+$/.test(self) ? `${self}/.` : self, shut);
  if (top < 0) return { tooDeep: false, stopped: false };
  try {
    const stands = byDescriptor && options.stand?.(top) ? options.stand : undefined;
    const stopped = !visit(top, wayInto(top, self), '', 1, options.context, stands);
    return { tooDeep, stopped };
  } finally {
    closeSync(top);
  }
}

/** Names no walk and no list ever shows. */
export function isHidden(
  name: string,
  options: { denyList: DenyList; ignoreNames?: ReadonlySet<string>; showReserved?: boolean },
): boolean {
  if (options.ignoreNames?.size && options.ignoreNames.has(name)) return true;
  if (options.denyList && deniedName(name, options.denyList) !== undefined) return true;
  if (options.showReserved) return false;
  return reservedSegment(name) !== undefined || isTempName(name);
}

export function typeOf(entry: Dirent): EntryType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function readEntries(at: string): Dirent[] {
  try {
    return readdirSync(at, { withFileTypes: true });
  } catch {
    return [];
  }
}

function inOrder<T extends { name: string; type: EntryType }>(entries: T[], directoriesFirst: boolean): T[] {
  return entries.sort((a, b) => {
    const group = directoriesFirst ? Number(b.type === 'directory') - Number(a.type === 'directory') : 0;
    return group || (a.name < b.name ? -1 : 1);
  });
}

/** A descriptor of the directory at `at`; -1 for what cannot be opened, and for what is shut. */
export function openChild(at: string, shut: VisitOptions['shut'], onRefused?: () => void): number {
  let fd = -1;
  try {
    fd = openSync(at, LIST);
    if (!shut?.(fd)) return fd;
  } catch (error) {
    // Gone, no longer a directory, or not readable.
    if (isRefusal(error)) onRefused?.();
  }
  if (fd >= 0) closeSync(fd);
  return -1;
}
