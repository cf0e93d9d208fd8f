import type { Actor, FinishedCall } from '@croft/tools';
import { type Change, type ChangeJournal, WorkspaceError } from '@croft/workspace';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import { reporter } from './caller-toolsets.ts';
import type { Namespace } from './namespaces.ts';

/**
 * Runs a change with its record in the activity log. `undo` is the id that reverts the change; absent if old
 * content was not kept. A change whose record cannot be written is not made.
 */
export async function onRecord<T extends { readonly changes: readonly Change[]; readonly bytesWritten?: number }>(
  { log }: { readonly log: Log },
  namespace: Namespace,
  call: { readonly actor: Actor; readonly tool: string; readonly paths: readonly string[] },
  act: (journal: ChangeJournal) => T | Promise<T>,
): Promise<{ outcome: T; undo: string | undefined }> {
  const { actor, tool, paths } = call;
  const record = namespace.activity.begin({ tool, actor, started: Date.now(), paths: () => paths });
  const finish = (finished: FinishedCall): void => {
    try {
      record.finish(finished);
    } catch (error) {
      reporter({ log })(error, tool);
    }
  };
  try {
    const outcome = await act(record);
    finish({ outcome: 'ok', changes: outcome.changes, bytes: outcome.bytesWritten });
    return { outcome, undo: isUndoable(outcome.changes) ? record.id : undefined };
  } catch (error) {
    finish({ outcome: error instanceof WorkspaceError || error instanceof Problem ? error.code : 'internal' });
    throw error;
  }
}

/** Whether the trash has all content that the changes replaced or removed. */
function isUndoable(changes: readonly Change[]): boolean {
  const isKept = ({ kind, trash }: Change) => trash !== undefined || !(kind === 'update' || kind === 'delete');
  return changes.length > 0 && changes.every(isKept);
}
