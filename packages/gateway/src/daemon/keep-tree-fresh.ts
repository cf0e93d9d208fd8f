import type { Tell } from './daemon-events.ts';
import type { ScannedTree } from './scan-tree.ts';
import { type TreeWatch, watchTree } from './watch-tree.ts';

export interface FreshTreeOptions {
  /** Host path of the shared directory. */
  readonly root: string;
  readonly scan: () => Promise<ScannedTree>;
  readonly send: (scanned: ScannedTree) => Promise<TreeSending>;
  readonly tell: Tell;
  /** How long nothing must change before a scan, in milliseconds. */
  readonly quietMs?: number;
  /** Minimum time between two scans of a constantly changing directory, in milliseconds. */
  readonly minIntervalMs?: number;
}

/**
 * Whether a server accepted a tree. If it did not, the tree is sent with the next change, or when the server asked for
 * it.
 */
export interface TreeSending {
  readonly taken: boolean;
  /** The server asked for the tree again after this time. */
  readonly againInMs?: number | undefined;
}

/** Keeps the server's copy of the tree up to date. */
export interface FreshTree {
  /** Reports that the server has this tree, as the base for later changes. */
  sent(scanned: ScannedTree): void;
  /** The server is reachable again: sends what changed meanwhile. */
  catchUp(): void;
  close(): void;
}

const QUIET_MS = 1_000;
const MIN_INTERVAL_MS = 5_000;
/** At most one part in this many of the time is spent on scanning. */
const SCAN_SHARE = 20;

/** Scans again shortly after a change, and sends the tree if it is different. */
export function keepTreeFresh(options: FreshTreeOptions): FreshTree {
  const { root, scan, send, tell, quietMs = QUIET_MS, minIntervalMs = MIN_INTERVAL_MS } = options;
  let watching: TreeWatch | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastSent: string | undefined;
  let notBefore = 0;
  let isScanning = false;
  let isDirty = false;
  let isBehind = false;
  let isClosed = false;

  const onChange = (): void => {
    if (isClosed) return;
    isDirty = true;
    if (isScanning) return;
    clearTimeout(timer);
    timer = setTimeout(() => void rescan(), Math.max(quietMs, notBefore - performance.now())).unref();
  };

  const rescan = async (): Promise<void> => {
    isScanning = true;
    isDirty = false;
    const started = performance.now();
    let askedMs = 0;
    try {
      const scanned = await scan();
      watching?.follow(scanned);
      const key = keyOf(scanned);
      if (isClosed || key === lastSent) return;
      const { taken, againInMs } = await send(scanned);
      isBehind = !taken;
      askedMs = againInMs ?? 0;
      if (againInMs !== undefined) isDirty = true;
      if (isBehind) return;
      lastSent = key;
      tell({ type: 'tree_sent', entries: scanned.entries.length });
    } finally {
      isScanning = false;
      const ended = performance.now();
      notBefore = ended + Math.max(minIntervalMs, (ended - started) * SCAN_SHARE, askedMs);
      if (isDirty) onChange();
    }
  };

  return {
    sent(scanned) {
      lastSent = keyOf(scanned);
      isBehind = false;
      watching ??= watchTree(root, onChange);
      watching.follow(scanned);
    },
    catchUp() {
      if (isBehind) onChange();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      watching?.close();
    },
  };
}

function keyOf(scanned: ScannedTree): string {
  return JSON.stringify([scanned.truncated, scanned.entries]);
}
