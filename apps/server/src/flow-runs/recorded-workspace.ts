import type { Actor, FinishedCall } from '@croft/tools';
import { type Change, type ChangeJournal, type Workspace, WorkspaceError } from '@croft/workspace';
import type { CallerFiles } from '../files/caller-files.ts';
import { reporter } from '../files/caller-toolsets.ts';
import type { Log } from '../log.ts';

/**
 * The caller's tree with every write of a flow in the activity log, so that it can be undone. Components and the tools of
 * an agent change files with these three operations only.
 */
export function recordedWorkspace({ workspace, namespaceOf }: CallerFiles, actor: Actor, log: Log): Workspace {
  const onRecord = <Outcome extends { readonly changes: readonly Change[]; readonly bytesWritten?: number }>(
    path: string,
    act: (journal: ChangeJournal) => Outcome,
  ): Outcome => {
    const record = namespaceOf(path).activity.begin({ tool: 'flow', actor, started: Date.now(), paths: () => [path] });
    const finish = (finished: FinishedCall): void => {
      try {
        record.finish(finished);
      } catch (error) {
        // A change that was made succeeds without the rest of its record.
        reporter({ log })(error, 'flow');
      }
    };
    try {
      const outcome = act(record);
      finish({ outcome: 'ok', changes: outcome.changes, bytes: outcome.bytesWritten });
      return outcome;
    } catch (error) {
      finish({ outcome: error instanceof WorkspaceError ? error.code : 'internal' });
      throw error;
    }
  };
  return {
    ...workspace,
    root: workspace.root,
    write: (path, content, options) =>
      onRecord(path, (journal) => workspace.write(path, content, { ...options, journal })),
    append: (path, content, options) =>
      onRecord(path, (journal) => workspace.append(path, content, { ...options, journal })),
    edit: (path, edits, options) => onRecord(path, (journal) => workspace.edit(path, edits, { ...options, journal })),
  };
}
