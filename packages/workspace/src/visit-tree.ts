import { closeSync, type Dirent, openSync, readdirSync } from 'node:fs';
import { type DenyList, deniedName } from './deny-list.ts';
import { reservedSegment } from './names.ts';
import { LIST } from './resolve/native.ts';
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

/** What a walk leaves out and where it ends. */
export interface VisitOptions<Context = undefined> {
  readonly maxDepth: number;
  readonly denyList: DenyList;
  readonly ignoreNames?: ReadonlySet<string>;
  readonly directoriesFirst?: boolean;
  /** Also report reserved and temporary names. */
  readonly showReserved?: boolean;
  /** What a directory's entries are judged with, made from its parent's when the directory is entered. */
  readonly enter?: (
    parent: Context | undefined,
    path: string,
    at: string,
    entries: readonly Dirent[],
  ) => Context | undefined;
  /** Whether an entry (path below the start) is left out, by its directory's context. */
  readonly leaveOut?: (path: string, name: string, isDirectory: boolean, context: Context | undefined) => boolean;
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
 * O_NOFOLLOW, so a directory exchanged for a link during the walk is left out, never entered. What vanishes or cannot
 * be read is left out. Protected, reserved and temporary names are never reported.
 *
 * @param self a path of the directory: `/proc/self/fd/N`, a name below one, or a host path where there is no /proc.
 *   It is opened without following a link; when it cannot be, nothing is visited
 */
export function visitTree<Context = undefined>(
  self: string,
  options: VisitOptions<Context>,
  onEntry: (entry: VisitedEntry) => Verdict,
): VisitOutcome {
  const byDescriptor = self.startsWith('/proc/self/fd/');
  let tooDeep = false;
  const visit = (at: string, path: string, depth: number, parent: Context | undefined): boolean => {
    const entries = readEntries(at, options.directoriesFirst ?? false);
    const context = options.enter ? options.enter(parent, path, at, entries) : parent;
    for (const entry of entries) {
      const name = entry.name;
      if (isHidden(name, options)) continue;
      const type = typeOf(entry);
      const below = path === '' ? name : `${path}/${name}`;
      if (options.leaveOut?.(below, name, type === 'directory', context)) continue;
      const verdict = onEntry({ name, path: below, type, at: `${at}/${name}`, depth });
      if (verdict === 'stop') return false;
      if (type !== 'directory' || verdict === 'skip') continue;
      if (depth >= options.maxDepth) {
        tooDeep = true;
        continue;
      }
      const fd = openChild(`${at}/${name}`);
      if (fd < 0) continue;
      try {
        if (!visit(byDescriptor ? `/proc/self/fd/${fd}` : `${at}/${name}`, below, depth + 1, context)) return false;
      } finally {
        closeSync(fd);
      }
    }
    return true;
  };
  // Held for the walk, so that the start cannot be exchanged between its checks and its reading.
  const top = openChild(/^\/proc\/self\/fd\/\d+$/.test(self) ? `${self}/.` : self);
  if (top < 0) return { tooDeep: false, stopped: false };
  try {
    const stopped = !visit(byDescriptor ? `/proc/self/fd/${top}` : self, '', 1, options.context);
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
  if (options.ignoreNames?.has(name)) return true;
  if (options.denyList && deniedName(name, options.denyList) !== undefined) return true;
  if (options.showReserved) return false;
  return reservedSegment(name) !== undefined || isTempName(name);
}

export function typeOf(entry: Dirent): EntryType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function readEntries(at: string, directoriesFirst: boolean): Dirent[] {
  try {
    const entries = readdirSync(at, { withFileTypes: true });
    return entries.sort((a, b) => {
      const group = directoriesFirst ? Number(b.isDirectory()) - Number(a.isDirectory()) : 0;
      return group || (a.name < b.name ? -1 : 1);
    });
  } catch {
    return [];
  }
}

function openChild(at: string): number {
  try {
    return openSync(at, LIST);
  } catch {
    return -1;
  }
}
