import { FRAME_LIMITS, type TreeEntryFrame } from '../../frames.ts';

/**
 * An uploaded tree as one buffer outside the heap, in drawing order: children below their own parent, directories
 * first, each group by name. Five thousand machines with 200 entries take about 20 MB; as objects it would be ten times
 * as much.
 *
 * Each entry is `<depth as one character><d or f><size in base 36>/<name>`, entries are separated by NUL.
 */
export interface PackedTree {
  readonly bytes: Buffer;
  /** Every byte is one character, which is much faster to read. */
  readonly isAscii: boolean;
  /** There are more entries: the machine said so, or the limit was reached. */
  readonly truncated: boolean;
  /** Levels that are certainly complete: the client scans breadth first, so only the deepest may be cut. */
  readonly completeDepth: number;
}

/** Deepest level kept; the depth must fit into a character below 0x80. */
const MAX_DEPTH = 64;
const FIRST_DEPTH_CODE = 0x20;
const DIRECTORY_CODE = 0x64;
/** Entries between two yields. */
const PIECE = 256;

interface Dir {
  readonly dirs: Map<string, Dir>;
  readonly files: Map<string, number | undefined>;
}

/**
 * Packs a tree. The input is not trusted: leaves out entries that are absolute, contain `..` or NUL; counts repetitions
 * once; adds missing parent directories; and keeps at most 10,000 entries.
 *
 * @param isCut the machine has more entries than it sent
 * @param rootPath the directory on the machine; for a Windows path, `\` separates names too
 */
export function packTree(entries: Iterable<TreeEntryFrame>, isCut: boolean, rootPath = ''): PackedTree {
  const work = packing(entries, isCut, rootPath);
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

/** The same, as a generator that yields to other work. Ignores entries beyond the limit. */
export function* packing(
  entries: Iterable<TreeEntryFrame>,
  isCut: boolean,
  rootPath: string,
): Generator<void, PackedTree> {
  const toSlashes = isWindowsPath(rootPath);
  const root: Dir = { dirs: new Map(), files: new Map() };
  let count = 0;
  let deepest = 0;
  let truncated = isCut;
  let seen = 0;
  for (const entry of entries) {
    if (++seen % PIECE === 0) yield;
    const parts = safeParts(toSlashes ? entry.path.replaceAll('\\', '/') : entry.path);
    if (!parts) continue;
    if (count >= FRAME_LIMITS.maxTreeEntries) {
      truncated = true;
      break;
    }
    count += insert(root, parts, entry);
    deepest = Math.max(deepest, parts.length);
  }
  const lines: string[] = [];
  yield* write(root, 1, lines);
  const text = lines.join('\0');
  // A buffer of its own: a slice of the shared pool would keep 8 KB alive for 200 bytes.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  const isAscii = bytes.length === text.length;
  return { bytes, isAscii, truncated, completeDepth: truncated ? Math.max(0, deepest - 1) : Number.POSITIVE_INFINITY };
}

/** One entry of a packed tree. */
export interface PackedEntry {
  readonly name: string;
  /** Relative to the requested directory. */
  readonly path: string;
  readonly type: 'file' | 'directory';
  /** 1 for the children of that directory. */
  readonly depth: number;
  readonly sizeBytes?: number;
}

/** The result of looking up a path in a packed tree. */
export type PackedListing =
  | { readonly kind: 'directory'; readonly entries: readonly PackedEntry[]; readonly more: boolean }
  | { readonly kind: 'file' }
  | { readonly kind: 'absent' };

/** Reads one directory of a packed tree, in drawing order: at most `maxEntries` entries and `maxDepth` levels. */
export function readPacked(
  tree: PackedTree,
  parts: readonly string[],
  limits: { readonly maxDepth: number; readonly maxEntries: number },
): PackedListing {
  const entries: PackedEntry[] = [];
  const text = tree.bytes.toString(tree.isAscii ? 'latin1' : 'utf8');
  const at = findDirectory(text, parts);
  if (typeof at !== 'number') return at;
  /** Paths of the directories above the current entry, by depth. */
  const above: string[] = [];
  for (let from = at; from < text.length; ) {
    const end = lineEnd(text, from);
    const depth = text.charCodeAt(from) - FIRST_DEPTH_CODE - parts.length;
    if (depth <= 0) break;
    if (depth <= limits.maxDepth) {
      if (entries.length >= limits.maxEntries) return { kind: 'directory', entries, more: true };
      const slash = text.indexOf('/', from + 2);
      const name = text.slice(slash + 1, end);
      const path = depth === 1 ? name : `${above[depth - 2]}/${name}`;
      if (text.charCodeAt(from + 1) === DIRECTORY_CODE) {
        above[depth - 1] = path;
        entries.push({ name, path, type: 'directory', depth });
      } else if (slash === from + 2) entries.push({ name, path, type: 'file', depth });
      else {
        const sizeBytes = Number.parseInt(text.slice(from + 2, slash), 36);
        entries.push({ name, path, type: 'file', depth, sizeBytes });
      }
    }
    from = end + 1;
  }
  return { kind: 'directory', entries, more: false };
}

/** The position of a directory's first entry, or why there is none. */
function findDirectory(text: string, parts: readonly string[]): number | { kind: 'file' } | { kind: 'absent' } {
  let entered = 0;
  let from = 0;
  while (entered < parts.length) {
    if (from >= text.length) return { kind: 'absent' };
    const end = lineEnd(text, from);
    const depth = text.charCodeAt(from) - FIRST_DEPTH_CODE;
    // The scan left the directory that should contain the entry.
    if (depth <= entered) return { kind: 'absent' };
    if (depth === entered + 1 && text.slice(text.indexOf('/', from) + 1, end) === parts[entered]) {
      entered++;
      if (text.charCodeAt(from + 1) !== DIRECTORY_CODE)
        return entered === parts.length ? { kind: 'file' } : { kind: 'absent' };
    }
    from = end + 1;
  }
  return from;
}

function lineEnd(text: string, from: number): number {
  const found = text.indexOf('\0', from);
  return found === -1 ? text.length : found;
}

/** Whether a host path is a Windows path. */
export function isWindowsPath(path: string): boolean {
  return /^([A-Za-z]:[\\/]|\\\\)/.test(path);
}

function safeParts(path: string): string[] | undefined {
  if (path.startsWith('/') || path.includes('\0')) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.length > MAX_DEPTH || parts.includes('..') ? undefined : parts;
}

/** Inserts an entry and returns how many are new, including missing parent directories. */
function insert(root: Dir, parts: readonly string[], entry: TreeEntryFrame): number {
  let dir = root;
  let made = 0;
  for (const part of entry.type === 'directory' ? parts : parts.slice(0, -1)) {
    let next = dir.dirs.get(part);
    if (!next) {
      next = { dirs: new Map(), files: new Map() };
      dir.dirs.set(part, next);
      made++;
    }
    dir = next;
  }
  const name = parts.at(-1) as string;
  if (entry.type === 'file' && !dir.files.has(name) && !dir.dirs.has(name)) {
    dir.files.set(name, entry.sizeBytes);
    made++;
  }
  return made;
}

function* write(dir: Dir, depth: number, lines: string[]): Generator<void> {
  const mark = String.fromCharCode(FIRST_DEPTH_CODE + depth);
  yield;
  for (const name of [...dir.dirs.keys()].sort(byCode)) {
    lines.push(`${mark}d/${name}`);
    yield* write(dir.dirs.get(name) as Dir, depth + 1, lines);
  }
  for (const name of [...dir.files.keys()].sort(byCode)) {
    if (!dir.dirs.has(name)) lines.push(`${mark}f${dir.files.get(name)?.toString(36) ?? ''}/${name}`);
  }
}

/** Sorts like the workspace, so that a cached result equals a local one. */
function byCode(a: string, b: string): number {
  return a < b ? -1 : 1;
}
