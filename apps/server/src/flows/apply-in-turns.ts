import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  applyEdit,
  type Edit,
  type FlowContent,
  type FlowDocument,
  LIMITS,
  inTurns,
  parseFlowInParts,
  singleEdits,
} from '@croft/flow';
import { Problem } from '../problem.ts';

/** The time of edits of one request. Each edit of a large flow copies its lists. */
const MAX_MS = 5_000;
/** Other requests get their turn after this time. */
const TURN_MS = 20;

export interface AppliedEdits {
  readonly document: FlowDocument;
  readonly edits: readonly Edit[];
  readonly inverses: readonly Edit[];
}

/**
 * Applies edits one by one, and keeps the inverse of each. The result is a document that opens again. Other requests run
 * in between.
 *
 * @param now milliseconds; tests set it
 * @throws FlowError, Problem `too_large` for too many edits, or edits that take too long
 */
export async function applyInTurns(
  document: FlowDocument,
  edits: readonly Edit[],
  now: () => number = () => performance.now(),
): Promise<AppliedEdits> {
  let current = document;
  const single = edits.flatMap(singleEdits);
  if (single.length > LIMITS.editsAtOnce)
    throw new Problem(413, 'too_large', `Send at most ${LIMITS.editsAtOnce} edits at once.`);
  const applied: Edit[] = [];
  const inverses: Edit[] = [];
  let used = 0;
  let started = now();
  for (const edit of single) {
    const { flow: next, inverse } = applyEdit(current, edit);
    applied.push(edit.kind === 'set_flow' ? { kind: 'set_flow', flow: contentOf(next) } : edit);
    inverses.push(inverse);
    current = next;
    const turn = now() - started;
    if (turn < TURN_MS) continue;
    used += turn;
    if (used > MAX_MS)
      throw new Problem(413, 'too_large', 'These edits take too long for a flow of this size. Send fewer at once.');
    await nextTurn();
    started = now();
  }
  return { document: await inTurns(parseFlowInParts(current)), edits: applied, inverses };
}

/** A document without its format version: what `set_flow` takes. */
export function contentOf({ name, description, nodes, edges, notes, groups, viewport }: FlowDocument): FlowContent {
  return { name, description, nodes, edges, notes, groups, viewport };
}
