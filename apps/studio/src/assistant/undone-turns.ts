import type { AssistantEvent } from '@croft/assistant/events';
import { versionsOf } from './turn-versions.ts';
import { hasChanges, isUnderWay, type TurnView } from './turn-view.ts';

/** Whether the assistant has just undone the user's newest change. */
export const isUndo = (event: AssistantEvent): boolean =>
  event.event === 'tool_end' && event.tool === 'undo_change' && event.ok;

/** The versions that a turn stored by undoing an earlier change. The server cannot revert them again. */
function undoVersionsOf({ events }: Pick<TurnView, 'events'>): readonly number[] {
  const versions: number[] = [];
  let latest: number | undefined;
  for (const event of events) {
    if (event.event === 'flow_update' && 'version' in event) latest = event.version;
    if (isUndo(event) && latest !== undefined) versions.push(latest);
  }
  return versions;
}

/** Whether the changes of the turn are on the canvas and can be reverted. */
export function canRevert(turn: TurnView): boolean {
  const undos = new Set(undoVersionsOf(turn));
  return hasChanges(turn) && !turn.isReverted && !isUnderWay(turn) && versionsOf(turn).some((each) => !undos.has(each));
}

/**
 * The turn whose changes the latest undo of another turn took back: it stored the version before the undo. Undefined where
 * the newest change came from the canvas itself.
 */
export function undoneBy(turn: TurnView, turns: readonly TurnView[]): TurnView | undefined {
  const version = undoVersionsOf(turn).at(-1);
  if (version === undefined) return undefined;
  const gone = new Set(turns.flatMap((each) => (each.isReverted ? versionsOf(each) : undoVersionsOf(each))));
  let before = version - 1;
  while (gone.has(before)) before--;
  return turns.find((each) => each.key !== turn.key && !each.isReverted && versionsOf(each).includes(before));
}
