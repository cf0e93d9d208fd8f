import type { AssistantEvent } from '@croft/assistant/events';
import { versionsOf } from './turn-versions.ts';
import { hasChanges, isUnderWay, type TurnView } from './turn-view.ts';

/** Whether the assistant has just undone the user's newest change. */
export const isUndo = (event: AssistantEvent): boolean =>
  event.event === 'tool_end' && event.tool === 'undo_change' && event.ok;

/** The changes that one undo of the assistant took back. */
interface Undo {
  /** The version that it stored. */
  readonly version?: number;
  /** The turn whose files it took back. */
  readonly turnId?: string;
}

function undosOf({ events }: Pick<TurnView, 'events'>): readonly Undo[] {
  const undos: Undo[] = [];
  let undo: Undo = {};
  for (const event of events) {
    if (event.event === 'tool_start' && event.tool === 'undo_change') undo = {};
    if (event.event === 'files_undone') undo = { ...undo, turnId: event.turn_id };
    if (event.event === 'flow_update' && 'version' in event && event.version !== undefined)
      undo = { ...undo, version: event.version };
    if (isUndo(event)) undos.push(undo);
  }
  return undos;
}

/** The versions that a turn stored by undoing an earlier change. The server cannot revert them again. */
const undoVersionsOf = (turn: Pick<TurnView, 'events'>): readonly number[] =>
  undosOf(turn).flatMap(({ version }) => version ?? []);

/** Whether the turn has changes of the canvas or of files that can be reverted. */
export function canRevert(turn: TurnView): boolean {
  if (!hasChanges(turn) || turn.isReverted || isUnderWay(turn)) return false;
  const undos = new Set(undoVersionsOf(turn));
  return turn.files.length > 0 || versionsOf(turn).some((each) => !undos.has(each));
}

/**
 * The turn whose changes the latest undo of another turn took back: the one that wrote the files, or stored the version before
 * the undo. Undefined where the newest change came from the canvas itself.
 */
export function undoneBy(turn: TurnView, turns: readonly TurnView[]): TurnView | undefined {
  const { version, turnId } = undosOf(turn).at(-1) ?? {};
  if (turnId !== undefined) return turns.find(({ id, isReverted }) => id === turnId && !isReverted);
  if (version === undefined) return undefined;
  const gone = new Set(turns.flatMap((each) => (each.isReverted ? versionsOf(each) : undoVersionsOf(each))));
  let before = version - 1;
  while (gone.has(before)) before--;
  return turns.find((each) => each.key !== turn.key && !each.isReverted && versionsOf(each).includes(before));
}
