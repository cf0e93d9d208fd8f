import { type Change, type ChangeJournal, type Workspace, WorkspaceError } from '@croft/workspace';
import type { FinishedCall, PendingRecord } from './pending-record.ts';

/** Where the changes of a flow are recorded. */
export interface FlowRecords {
  /** Begins the record of a change of this path. A change that gets no record is made without one. */
  begin(path: string): PendingRecord | undefined;
  /** Called when a change was made and its record could not be completed. */
  onError(error: unknown): void;
}

/**
 * The workspace with every write of a flow in an activity log, so that it can be undone. Components and the tools of an agent
 * change files with `write`, `append` and `edit` only; `createDir` makes the directory that a part of the workspace is opened in.
 */
export function recordedWorkspace(workspace: Workspace, records: FlowRecords): Workspace {
  const onRecord = <Outcome extends { readonly changes: readonly Change[]; readonly bytesWritten?: number }>(
    path: string,
    act: (journal: ChangeJournal | undefined) => Outcome,
  ): Outcome => {
    const record = records.begin(path);
    const finish = (finished: FinishedCall): void => {
      try {
        record?.finish(finished);
      } catch (error) {
        // A change that was made succeeds without the rest of its record.
        records.onError(error);
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
  const journalOf = (journal: ChangeJournal | undefined) => journal && { journal };
  return {
    ...workspace,
    root: workspace.root,
    write: (path, content, options) =>
      onRecord(path, (journal) => workspace.write(path, content, { ...options, ...journalOf(journal) })),
    append: (path, content, options) =>
      onRecord(path, (journal) => workspace.append(path, content, { ...options, ...journalOf(journal) })),
    edit: (path, edits, options) =>
      onRecord(path, (journal) => workspace.edit(path, edits, { ...options, ...journalOf(journal) })),
    createDir: (path, options) =>
      onRecord(path, (journal) => workspace.createDir(path, { ...options, ...journalOf(journal) })),
  };
}
