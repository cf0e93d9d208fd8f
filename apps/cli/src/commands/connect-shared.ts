import { accessSync, constants, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, parse, relative } from 'node:path';
import {
  type Activity,
  DAEMON_EXCLUDES,
  fixedWorkspace,
  makeToolset,
  openActivity,
  reconcile,
  type ToolTable,
} from '@croft/tools';
import { croftBaseDir, makeDirs, openWorkspace, osReason, type Workspace } from '@croft/workspace';
import { workspaceRoot } from '../compose/workspace-root.ts';
import { UsageError } from '../usage-error.ts';

/** A directory as a daemon shares it. */
export interface SharedDirectory {
  readonly workspace: Workspace;
  /** What servers are offered: `explore`, or `full` where they may write. */
  readonly table: ToolTable;
  /** What servers of the seed's time ask for. */
  readonly operations: ToolTable;
  close(): void;
}

/**
 * Opens the directory to share, read-only unless `allowWrite`: deny-list on, Croft's own base directory out of reach,
 * calls in the activity log.
 *
 * @param dir as the person gave it; without it the current directory, unless that is the whole disk or holds the home
 *   directory, which nobody shares by accident
 * @throws UsageError, WorkspaceError
 */
export function openSharedDirectory(dir: string | undefined, allowWrite: boolean): SharedDirectory {
  const baseDir = croftBaseDir();
  const root = workspaceRoot(dir ?? '.', baseDir);
  if (dir === undefined) refuseByAccident(root);
  const activity = openLog(baseDir, root);
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
    close() {
      workspace.close();
      activity?.close();
    },
  };
}

function refuseByAccident(root: string): void {
  if (parse(root).root === root)
    throw new UsageError(`This is ${root}, the whole disk. Go to the directory to share, or pass --dir ${root}`);
  const home = realHome();
  if (home === undefined) return;
  const below = relative(root, home);
  if (below === '')
    throw new UsageError(`This is your home directory. Go to the directory to share, or pass --dir ${root}`);
  if (!below.startsWith('..') && !isAbsolute(below))
    throw new UsageError(`Your home directory lies in ${root}. Go to the directory to share, or pass --dir ${root}`);
}

function realHome(): string | undefined {
  try {
    return realpathSync.native(process.env.HOME || homedir());
  } catch {
    // Nothing there to protect.
    return undefined;
  }
}

/** Where no log can be kept, sharing goes on without one, and says so. */
function openLog(baseDir: string, root: string): Activity | undefined {
  const activity = openActivity(baseDir, root);
  try {
    makeDirs(activity.trashDir);
    for (const dir of [activity.trashDir, dirname(activity.trashDir)]) accessSync(dir, constants.W_OK);
    return activity;
  } catch (error) {
    process.stderr.write(`croft: activity log and undo are off: cannot write below ${baseDir} (${osReason(error)})\n`);
    return undefined;
  }
}

/** For the person at the terminal, never for the server. */
function reportInternalError(error: unknown, tool: string): void {
  process.stderr.write(
    `croft: ${tool} failed unexpectedly: ${error instanceof Error ? error.message : String(error)}\n`,
  );
}
