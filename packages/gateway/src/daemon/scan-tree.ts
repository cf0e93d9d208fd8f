import type { Workspace } from '@croft/workspace';
import { FRAME_LIMITS } from '../frames.ts';

/** One entry of the tree a daemon hands to its server. `path` is below the shared directory, with `/`. */
export interface ScannedEntry {
  readonly path: string;
  /** What is no directory is a file; a link is a file without a size, and is never followed. */
  readonly type: 'file' | 'directory';
  readonly sizeBytes?: number;
}

/** What a scan found. */
export interface ScannedTree {
  /** Breadth first: every level is complete before the next begins. Directories first, each group by name. */
  readonly entries: readonly ScannedEntry[];
  /** There are more entries than the cap let in, or directories deeper than the scan went. */
  readonly truncated: boolean;
}

export interface ScanOptions {
  /** Entry names left out at every level. */
  readonly excludeNames: ReadonlySet<string>;
  /** Levels below the root; 8 unless given. */
  readonly maxDepth?: number;
  /** 10,000 unless given. */
  readonly maxEntries?: number;
  readonly signal?: AbortSignal;
}

const MAX_DEPTH = 8;
/** A scan gives way to calls this often, so that none waits for the whole of it. */
const TURN_MS = 15;

/** The part of a workspace a scan needs. */
export type ScannedWorkspace = Pick<Workspace, 'list'>;

/**
 * Scans a workspace breadth first, so that a large directory somewhere deep cannot crowd out the top. Every directory
 * is listed through the workspace: protected, reserved and masked names stay out, and a directory that was exchanged
 * for a link meanwhile leads nowhere the workspace would not go. What cannot be read is left closed.
 */
export async function scanTree(workspace: ScannedWorkspace, options: ScanOptions): Promise<ScannedTree> {
  const { excludeNames, maxDepth = MAX_DEPTH, maxEntries = FRAME_LIMITS.maxTreeEntries, signal } = options;
  const entries: ScannedEntry[] = [];
  let level: string[] = ['.'];
  let turn = performance.now();
  for (let depth = 1; level.length > 0; depth++) {
    const next: string[] = [];
    for (const dir of level) {
      if (performance.now() - turn > TURN_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        turn = performance.now();
      }
      for (const entry of entriesOf(workspace, dir, maxEntries - entries.length + excludeNames.size + 1)) {
        if (excludeNames.has(entry.name)) continue;
        if (entries.length >= maxEntries) return { entries, truncated: true };
        const path = dir === '.' ? entry.name : `${dir}/${entry.name}`;
        if (path.length > FRAME_LIMITS.maxPathChars) continue;
        if (entry.type === 'directory') {
          entries.push({ path, type: 'directory' });
          next.push(path);
        } else if (entry.sizeBytes === undefined) entries.push({ path, type: 'file' });
        else entries.push({ path, type: 'file', sizeBytes: entry.sizeBytes });
      }
    }
    if (depth >= maxDepth) return { entries, truncated: next.some((dir) => hasEntries(workspace, dir, excludeNames)) };
    level = next;
  }
  return { entries, truncated: false };
}

function entriesOf(workspace: ScannedWorkspace, dir: string, limit: number) {
  try {
    return workspace.list(dir, { sizes: true, limit }).entries;
  } catch {
    // Gone, not ours to read, or of a name nobody can ask for.
    return [];
  }
}

function hasEntries(workspace: ScannedWorkspace, dir: string, excludeNames: ReadonlySet<string>): boolean {
  try {
    return workspace.list(dir, { limit: excludeNames.size + 1 }).entries.some(({ name }) => !excludeNames.has(name));
  } catch {
    return false;
  }
}

/**
 * The tree as indented text, drawn depth first so that everything stands below its own parent, though it was scanned
 * breadth first. Two spaces a level, directories with `/`; says so when entries were left out.
 */
export function drawScannedTree(top: string, { entries, truncated }: ScannedTree): string {
  const below = new Map<string, ScannedEntry[]>();
  for (const entry of entries) {
    const parent = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf('/')));
    const siblings = below.get(parent);
    if (siblings) siblings.push(entry);
    else below.set(parent, [entry]);
  }
  const lines = [`${top || '.'}/`];
  const draw = (parent: string, indent: string): void => {
    for (const { path, type } of below.get(parent) ?? []) {
      const name = parent === '' ? path : path.slice(parent.length + 1);
      lines.push(`${indent}${name}${type === 'directory' ? '/' : ''}`);
      if (type === 'directory') draw(path, `${indent}  `);
    }
  };
  draw('', '  ');
  if (truncated) lines.push(`  ... (truncated at ${entries.length} entries)`);
  return lines.join('\n');
}
