import { clientOfTurn } from '@croft/assistant';
import { selectUndo, undoEntries } from '@croft/tools';
import { actorOf } from '../files/actor-of.ts';
import type { Namespaces } from '../files/namespaces.ts';
import type { Caller } from '../identity.ts';
import type { StoredTurn } from './turn-store.ts';

/** The fate of a file that a turn wrote. */
export interface RevertedFile {
  readonly path: string;
  readonly reverted: boolean;
  /** Why it stays as it is. */
  readonly problem: string | null;
}

/** Takes back what a turn wrote, newest first. A file that was changed since stays as it is. */
export async function revertFiles(
  namespaces: Pick<Namespaces, 'existingMineOf'>,
  caller: Caller,
  { id, startedAt }: Pick<StoredTurn, 'id' | 'startedAt'>,
): Promise<RevertedFile[]> {
  const namespace = namespaces.existingMineOf(caller.userId);
  if (namespace === undefined) return [];
  const { workspace, activity } = namespace;
  const client = clientOfTurn(id);
  const chosen = selectUndo(activity.entries(), { sinceMs: startedAt.getTime() }).filter(
    ({ actor }) => actor.client === client,
  );
  const undone = await undoEntries(workspace, activity, chosen, actorOf(caller));
  return undone.flatMap(({ entry, ok, problem }) =>
    entry.paths.map((path) => ({ path, reverted: ok, problem: problem ?? null })),
  );
}
