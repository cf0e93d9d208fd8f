import { DAEMON_EXCLUDES } from '@croft/tools';
import { describeDaemon } from './announcement.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { scanTree, type ScannedTree } from './scan-tree.ts';

const EXCLUDES: ReadonlySet<string> = new Set(DAEMON_EXCLUDES);

/**
 * Scans the directory that a daemon shares.
 *
 * @param isNews emits `scanned`
 */
export async function scanShared(
  { workspace, tell }: Pick<DaemonOptions, 'workspace' | 'tell'>,
  isNews: boolean,
): Promise<ScannedTree> {
  const started = performance.now();
  const scanned = await scanTree(workspace, { excludeNames: EXCLUDES });
  const tookMs = Math.round(performance.now() - started);
  if (isNews) tell({ type: 'scanned', entries: scanned.entries.length, truncated: scanned.truncated, tookMs });
  return scanned;
}

/** The first message of a connection: the directory, its tree and the tools. */
export function announcementOf(
  { workspace, table, allowWrite, version }: Pick<DaemonOptions, 'workspace' | 'table' | 'allowWrite' | 'version'>,
  scanned: ScannedTree,
): string {
  return JSON.stringify(describeDaemon({ root: workspace.root, scanned, tools: table.tools, allowWrite, version }));
}
