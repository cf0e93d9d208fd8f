import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { activityDir, openActivity } from '@croft/tools';
import { loadOrCreatePepper, presentUser, readIsolationConfig, userNamespace } from '@croft/workspace';
import { printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { workspaceRoot } from './workspace-root.ts';

/** The workspace that the user chose: a directory, a user's namespace, or neither for the current directory. */
export interface WorkspaceChoice {
  readonly dir?: string;
  readonly user?: string;
}

/**
 * Returns the root of the chosen workspace. Without a choice it is the nearest directory with activity, from the current
 * one upwards; a line on standard error names it if it is not the current one. Creates nothing.
 *
 * @throws UsageError
 */
export function chosenWorkspace({ dir, user }: WorkspaceChoice, baseDir: string): string {
  if (user !== undefined && dir !== undefined) throw new UsageError('Give --dir or --user, not both');
  if (user !== undefined) return namespaceOf(user);
  if (dir !== undefined) return workspaceRoot(dir, baseDir);
  const here = realpathSync.native('.');
  const found = nearestWithActivity(here, baseDir);
  if (found === undefined || found === here) return workspaceRoot('.', baseDir);
  const root = workspaceRoot(found, baseDir);
  process.stderr.write(`croft: using ${printableName(root)}, the nearest directory with activity\n`);
  return root;
}

function nearestWithActivity(dir: string, baseDir: string): string | undefined {
  // Most directories have no activity; this check avoids reading a log.
  if (existsSync(activityDir(baseDir, dir)) && openActivity(baseDir, dir).entries().length > 0) return dir;
  const parent = dirname(dir);
  return parent === dir ? undefined : nearestWithActivity(parent, baseDir);
}

/** Finds the namespace of a user. Creates neither the pepper nor the namespace. */
function namespaceOf(user: string): string {
  const id = presentUser(user);
  if (id === undefined) throw new UsageError('--user needs the id of a user');
  const { baseDir, pepperPath } = readIsolationConfig();
  if (existsSync(pepperPath)) {
    const root = join(baseDir, userNamespace(loadOrCreatePepper(pepperPath), id));
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root;
  }
  throw new UsageError(`User ${printableName(id)} has no namespace below ${baseDir}`);
}
