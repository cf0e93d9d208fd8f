import { clientOfTurn } from '@croft/assistant';
import { selectUndo, undoEntries } from '@croft/tools';
import { actorOf } from '../files/actor-of.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import { namespacesOf } from '../files/undoable-changes.ts';
import type { Caller } from '../identity.ts';
import type { StoredTurn } from './turn-store.ts';

/** The fate of a file that a turn wrote. */
export interface RevertedFile {
  readonly path: string;
  readonly reverted: boolean;
  /** Why it stays as it is. */
  readonly problem: string | null;
}

/** Takes back what a turn wrote, in the tree of its user, newest first. A file that was changed since stays as it is. */
export async function revertFiles(
  files: Pick<FilesOfCallers, 'open'>,
  caller: Caller,
  turn: Pick<StoredTurn, 'id' | 'startedAt'>,
): Promise<RevertedFile[]> {
  const reverted: RevertedFile[] = [];
  for (const part of namespacesOf(files.open(caller.userId))) reverted.push(...(await revertIn(part, caller, turn)));
  return reverted;
}

async function revertIn(
  { namespace, readOnly }: ReturnType<typeof namespacesOf>[number],
  caller: Caller,
  { id, startedAt }: Pick<StoredTurn, 'id' | 'startedAt'>,
): Promise<RevertedFile[]> {
  const { activity } = namespace;
  const client = clientOfTurn(id);
  const chosen = selectUndo(activity.entries(), { sinceMs: startedAt.getTime() }).filter(
    ({ actor }) => actor.client === client && actor.userId === caller.userId,
  );
  if (chosen.length === 0) return [];
  const workspace = readOnly ? namespace.readOnly : namespace.workspace;
  const undone = await undoEntries(workspace, activity, chosen, actorOf(caller));
  namespace.changed();
  return undone.flatMap(({ entry, ok, problem }) =>
    entry.paths.map((path) => ({ path, reverted: ok, problem: problem ?? null })),
  );
}
