import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { ScannedTree } from './scan-tree.ts';

/** Watches scanned directories and reports possible changes. */
export interface TreeWatch {
  /** Sets the directories to watch: those a scan found. */
  follow(scanned: ScannedTree): void;
  close(): void;
}

/** A system has a few thousand watches for all its programs. Directories beyond this limit are polled. */
const MAX_WATCHES = 2_000;
/** Interval of polling where watching is not possible, or not for every directory. */
const POLL_MS = 60_000;

/**
 * Watches the directories of a scan. Reports only that something changed, not what: the listener scans again, through
 * the workspace. On macOS and Windows one watch covers the whole tree; elsewhere each scanned directory has its own, so
 * that excluded ones cost nothing. Never throws.
 *
 * @param root host path of the shared directory
 */
export function watchTree(root: string, onChange: () => void, platform: string = process.platform): TreeWatch {
  const isWhole = platform === 'darwin' || platform === 'win32';
  const watches = new Map<string, FSWatcher>();
  let poll: NodeJS.Timeout | undefined;

  const pollInstead = (): void => {
    poll ??= setInterval(onChange, POLL_MS).unref();
  };
  const drop = (path: string): void => {
    watches.get(path)?.close();
    watches.delete(path);
  };
  const dropBelow = (path: string): void => {
    for (const known of watches.keys()) if (known === path || known.startsWith(`${path}/`)) drop(known);
  };
  const add = (path: string): void => {
    if (watches.has(path)) return;
    if (watches.size >= MAX_WATCHES) return pollInstead();
    try {
      const at = path === '' ? root : join(root, path);
      const watcher = watch(at, { persistent: false, recursive: isWhole }, (event, name) => {
        // The name may now belong to another directory; the next scan finds out.
        if (event === 'rename' && name !== null && !isWhole) dropBelow(path === '' ? name : `${path}/${name}`);
        onChange();
      });
      // The directory is gone, or the system has no watches left.
      watcher.on('error', () => {
        drop(path);
        pollInstead();
      });
      watches.set(path, watcher);
    } catch {
      pollInstead();
    }
  };

  return {
    follow(scanned) {
      add('');
      if (isWhole) return;
      const directories = scanned.entries.filter(({ type }) => type === 'directory').map(({ path }) => path);
      const wanted = new Set(['', ...directories]);
      for (const path of watches.keys()) if (!wanted.has(path)) drop(path);
      for (const path of directories) add(path);
    },
    close() {
      clearInterval(poll);
      for (const path of watches.keys()) drop(path);
    },
  };
}
