import type { Workspace } from '../workspace.ts';
import type { Change } from './change.ts';

/** Undoes the changes, the last one first. @returns the changes of the undo */
export async function undoAll(workspace: Workspace, changes: readonly Change[]): Promise<Change[]> {
  const undone: Change[] = [];
  for (const change of [...changes].reverse()) undone.push(...(await workspace.undo(change)).changes);
  return undone;
}

/** A content that arrives as a stream. */
export async function* chunksOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}
