import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openWorkspace, WorkspaceError } from '@croft/workspace';
import { UsageError } from '../usage-error.ts';

/**
 * The root of a directory a person named, as the workspace will know it. Makes nothing.
 *
 * @throws UsageError when it is no directory, or is or lies in Croft's own
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
