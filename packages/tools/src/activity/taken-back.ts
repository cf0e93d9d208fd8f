import { type Change, type Workspace, WorkspaceError } from '@croft/workspace';
import type { ActivityEntry } from './activity-entry.ts';
import { openHistory } from './content-source.ts';

/**
 * Finds changes that an earlier undo, which then failed, has taken back, so that the next undo of the same call goes on with the
 * others. Knows deletions, and files that were replaced.
 *
 * @param entries all of the log, oldest first
 * @returns whether the content that a change removed is back, and unchanged since
 */
export function openTakenBack(
  workspace: Workspace,
  entries: readonly ActivityEntry[],
): (change: Change) => Promise<boolean> {
  // Asked only where an undo fails.
  const history = once(() => openHistory(entries));
  return async ({ kind, path, trash = '' }) => {
    if (kind !== 'delete' && kind !== 'update') return false;
    try {
      const file = history().restored.get(trash);
      if (file !== undefined)
        return history().isSame(workspace.info(file.path, { itself: true }).version, file.version);
      const folder = history().restoredFolders.get(trash);
      return kind === 'delete' && folder !== undefined && (await workspace.digest(path)) === folder;
    } catch (error) {
      if (error instanceof WorkspaceError) return false;
      throw error;
    }
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
