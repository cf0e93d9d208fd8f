import { type Evidence, evidenceOf, type Outcome, statusLine } from '@croft/assistant/events';
import { changedCanvas, isUnderWay, type TurnView } from './turn-view.ts';

/**
 * One line about what the turns of a message changed, built, checked and ran, computed from their events. A later change
 * of the canvas, by whichever client, ends the claims that the flow was checked and run.
 *
 * @param canvasVersion the version of the flow that the page shows
 * @returns undefined while a turn works
 */
export function statusOf(turns: readonly TurnView[], canvasVersion: number): string | undefined {
  const last = turns.at(-1);
  if (last === undefined || isUnderWay(last)) return undefined;
  if (last.status === 'interrupted') return 'The server stopped during this message. Stored changes are on the canvas.';
  const found = decidedIn(turns, evidenceOf(turns.flatMap(({ events }) => events)));
  if (turns.some(({ isUndone }) => isUndone)) return 'Already undone: nothing of this message is left to revert.';
  if (turns.some(({ isReverted }) => isReverted) && !turns.some(changedCanvas))
    return 'Reverted: the files of this message are as before.';
  if (turns.some(({ isReverted }) => isReverted)) return 'Reverted: the changes of this message are not on the canvas.';
  const version = Math.max(...turns.map((turn) => turn.version ?? 0));
  const isOutdated = version > 0 && canvasVersion > version && (found.validated !== 'no' || found.run !== 'no');
  if (!isOutdated) return statusLine(found);
  const line = statusLine({ ...found, validated: 'no', run: 'no' });
  return line.replace(/ · not run\.$/, ' · changed since: not checked, not run.');
}

/** How much of a message its turns carried out. */
export const outcomeOf = (turns: readonly TurnView[]): Outcome =>
  evidenceOf(turns.flatMap(({ events }) => events)).outcome;

/** The evidence with decisions that no event of the turns has: a later message dismisses, and the user edits the canvas. */
function decidedIn(turns: readonly TurnView[], found: Evidence): Evidence {
  const status = turns.findLast(({ flow }) => flow !== undefined)?.flow?.status;
  const built = status === 'applied' ? 'on canvas' : status === 'dismissed' ? 'dismissed' : found.built;
  const fields = turns.flatMap((turn) => turn.fields);
  return {
    ...found,
    changes: Math.max(found.changes, fields.filter((each) => each.status === 'applied').length),
    built: found.built === 'proposed' ? built : found.built,
    proposedFields: fields.filter((each) => each.status === 'pending').length,
  };
}
