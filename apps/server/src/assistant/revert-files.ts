import { changesOfTurns, turnOfClient, type UndoneFile, type UndoneFiles, undoneFilesOf } from '@croft/assistant';
import { undoEntries } from '@croft/tools';
import { actorOf, type UserActor } from '../files/actor-of.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import { namespacesOf } from '../files/undoable-changes.ts';
import { nextUndo } from '../flows/undo-edit.ts';
import type { Caller } from '../identity.ts';
import type { Db } from '../store/database.ts';
import type { Conversation, StoredTurn, TurnStore } from './turn-store.ts';

type Part = ReturnType<typeof namespacesOf>[number];
type WritingTurn = Pick<StoredTurn, 'id' | 'startedAt'>;

/** Takes back what a turn wrote, in the tree of its user, newest first. A file that was changed since stays as it is. */
export async function revertFiles(
  files: Pick<FilesOfCallers, 'open'>,
  caller: Caller,
  turn: WritingTurn,
  actor: UserActor = actorOf(caller),
): Promise<UndoneFile[]> {
  const reverted: UndoneFile[] = [];
  for (const part of namespacesOf(files.open(caller.userId))) reverted.push(...(await revertIn(part, actor, turn)));
  return reverted;
}

async function revertIn(part: Part, actor: UserActor, turn: WritingTurn): Promise<UndoneFile[]> {
  const { namespace, readOnly } = part;
  const chosen = changesIn(part, actor.userId, [turn]);
  if (chosen.length === 0) return [];
  const workspace = readOnly ? namespace.readOnly : namespace.workspace;
  const undone = await undoEntries(workspace, namespace.activity, chosen, actor);
  namespace.changed();
  return undoneFilesOf(undone);
}

const changesIn = ({ namespace }: Part, userId: string, turns: readonly WritingTurn[]) =>
  changesOfTurns(namespace.activity.entries(), turns).filter(({ actor }) => actor.userId === userId);

export interface UndoFilesOptions {
  readonly storage: () => Promise<Db>;
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly turnStore: Pick<TurnStore, 'turns'>;
}

/**
 * Takes back the files of the newest turn of a conversation that wrote some. Undefined where the change of the canvas that
 * an undo would take back is newer.
 */
export async function undoNewestFiles(
  { storage, files, turnStore }: UndoFilesOptions,
  caller: Caller,
  conversation: Conversation,
): Promise<UndoneFiles | undefined> {
  const { userId, flowId } = conversation;
  const turns = await turnStore.turns(conversation);
  const [newest] = namespacesOf(files.open(userId))
    .flatMap((part) => changesIn(part, userId, turns).slice(0, 1))
    .sort((one, other) => Date.parse(other.time) - Date.parse(one.time));
  const at = turns.findIndex(({ id }) => id === turnOfClient(newest?.actor.client ?? null));
  const turn = turns[at];
  if (newest === undefined || turn === undefined) return undefined;
  const edit = await nextUndo(await storage(), userId, flowId);
  if (edit !== undefined) {
    const editedAt = turns.findIndex(({ id }) => id === edit.turnId);
    // Turns have an order; the time of the database may come from another clock.
    const isNewer = editedAt === -1 ? edit.at.getTime() > Date.parse(newest.time) : editedAt > at;
    if (isNewer) return undefined;
  }
  const actor: UserActor = { ...actorOf(caller), via: 'assistant' };
  const undone = await revertFiles(files, caller, turn, actor);
  return { turnId: turn.id, files: undone, withCanvas: edit?.turnId === turn.id };
}
