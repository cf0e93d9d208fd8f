import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openActivity } from '@croft/tools';
import { openWorkspace, WorkspaceError } from '@croft/workspace';
import { namesIn } from './names-in.ts';
import type { DoctorReport, Examined, WorkspaceReport } from './report.ts';

const MAX_WORKSPACES = 200;

/** The workspaces with activity, the most recent first. Reads only. */
export function activeWorkspaces(baseDir: string): readonly WorkspaceReport[] {
  return namesIn(join(baseDir, 'activity'))
    .slice(0, MAX_WORKSPACES)
    .map((name) => rootOf(join(baseDir, 'activity', name)))
    .filter((root) => root !== undefined)
    .map((root) => {
      const entries = openActivity(baseDir, root).entries();
      const last = entries.at(-1)?.time;
      return { root, exists: existsSync(root), calls: entries.length, ...(last !== undefined && { last }) };
    })
    .sort((a, b) => (b.last ?? '').localeCompare(a.last ?? ''));
}

/** Reports whether a directory can be served, and how many calls its log has. */
export function examineDirectory(dir: string, baseDir: string): Examined<DoctorReport['directory']> {
  try {
    const workspace = openWorkspace(resolve(dir), { baseDir, readOnly: true });
    const { root } = workspace;
    workspace.close();
    return { report: { root, calls: openActivity(baseDir, root).entries().length }, problems: [], notes: [] };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const what = `${dir} cannot be served: ${error.operatorMessage}`;
    return {
      report: undefined,
      problems: [{ what, advice: 'Name an existing directory that this user may read' }],
      notes: [],
    };
  }
}

function rootOf(activity: string): string | undefined {
  try {
    const { root } = JSON.parse(readFileSync(join(activity, 'workspace.json'), 'utf8')) as { root?: unknown };
    return typeof root === 'string' ? root : undefined;
  } catch {
    // Still being created, or not a directory of Croft.
    return undefined;
  }
}
