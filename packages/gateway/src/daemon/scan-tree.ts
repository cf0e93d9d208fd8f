import type { Workspace } from '@croft/workspace';
import { FRAME_LIMITS } from '../frames.ts';

/** One entry of the tree that a daemon sends to its server. `path` is relative to the shared directory, with `/`. */
export interface ScannedEntry {
  readonly path: string;
  /** Everything but a directory is a file. A link is a file without a size, and is never followed. */
  readonly type: 'file' | 'directory';
  readonly sizeBytes?: number;
}

/** The result of a scan. */
export interface ScannedTree {
  /** Breadth first: every level is complete before the next begins. Directories first, each group by name. */
  readonly entries: readonly ScannedEntry[];
  /** There are more entries than the limit, or deeper directories than the scan visited. */
  readonly truncated: boolean;
}

export interface ScanOptions {
  /** Entry names left out at every level. */
  readonly excludeNames: ReadonlySet<string>;
  /** Levels below the root; default 8. */
  readonly maxDepth?: number;
  /** Default 10,000. */
  readonly maxEntries?: number;
  readonly signal?: AbortSignal;
}

const MAX_DEPTH = 8;
/** Milliseconds after which a scan yields to calls, so that none waits for all of it. */
const TURN_MS = 15;

/** The part of a workspace that a scan needs. */
export type ScannedWorkspace = Pick<Workspace, 'list'>;

/**
 * Scans a workspace breadth first, so that a large directory at a deep level cannot displace upper levels. Lists every
 * directory through the workspace: protected, reserved and masked names are left out, and a directory replaced by a
 * link is checked by the workspace like any other. A directory that cannot be read is shown without entries.
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
    // The directory is gone, not readable, or has an invalid name.
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
 * Draws the tree as indented text, depth first, so that each entry is below its own parent, although the scan is
 * breadth first. Two spaces per level, directories with `/`. Says so if entries were left out.
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
