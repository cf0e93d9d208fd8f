import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openWorkspace, WorkspaceError } from '@croft/workspace';
import { UsageError } from '../usage-error.ts';

/**
 * Returns the real root of a directory that the user named. Creates nothing.
 *
 * @throws UsageError if it is not a directory, or is inside Croft's own base directory
 */
export function workspaceRoot(dir: string, baseDir: string): string {
  const path = resolve(dir);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`Not a directory: ${dir}`);
  try {
    const probe = openWorkspace(path, { baseDir, readOnly: true });
    const { root } = probe;
    probe.close();
    return root;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'invalid') throw new UsageError(error.operatorMessage);
    throw error;
  }
}
