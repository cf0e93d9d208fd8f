import { type Activity, DAEMON_EXCLUDES, fixedWorkspace, makeToolset, reconcile, type ToolTable } from '@croft/tools';
import { croftBaseDir, openWorkspace, type Workspace } from '@croft/workspace';
import { prepareActivity } from '../compose/prepare-activity.ts';
import { refuseWide } from '../compose/refuse-wide.ts';
import { workspaceRoot } from '../compose/workspace-root.ts';
import { printable } from '../render/printable.ts';

/** A directory that a daemon shares. */
export interface SharedDirectory {
  readonly workspace: Workspace;
  /** The tools offered to servers: `explore`, or `full` if they may write. */
  readonly table: ToolTable;
  /** The tools behind the operations of the protocol's first dialect. */
  readonly operations: ToolTable;
  /** The log of calls; undefined where it cannot be kept. */
  readonly activity: Activity | undefined;
  close(): void;
}

/**
 * Opens the directory to share, read-only unless `allowWrite`. The deny-list is on, Croft's own base directory is hidden, and
 * calls are logged.
 *
 * @param dir as the user wrote it. Without it the current directory, which is refused if it is the root of the disk, the home
 *   directory, or above it, because such a choice is probably a mistake
 * @throws UsageError, WorkspaceError
 */
export function openSharedDirectory(dir: string | undefined, allowWrite: boolean): SharedDirectory {
  const baseDir = croftBaseDir();
  const root = workspaceRoot(dir ?? '.', baseDir);
  if (dir === undefined) refuseWide(root, 'Go to the directory to share');
  const activity = prepareActivity(baseDir, root);
  const workspace = openWorkspace(root, {
    baseDir,
    readOnly: !allowWrite,
    denyList: true,
    ...(activity && { trashDir: activity.trashDir }),
  });
  if (activity) reconcile(workspace, activity);
  const source = fixedWorkspace(workspace);
  const parts = { activity, onInternalError: reportInternalError };
  const explore = { ...parts, tools: makeToolset('explore', source, { exploreExcludes: DAEMON_EXCLUDES }) };
  return {
    workspace,
    table: allowWrite ? { ...parts, tools: makeToolset('full', source) } : explore,
    operations: explore,
    activity,
    close() {
      workspace.close();
      activity?.close();
    },
  };
}

/** Writes an unexpected error to standard error. The server does not get it. */
function reportInternalError(error: unknown, tool: string): void {
  const detail = error instanceof Error ? error.message : String(error);
  process.stderr.write(`croft: ${tool} failed unexpectedly: ${printable(detail)}\n`);
}
