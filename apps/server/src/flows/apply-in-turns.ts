import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Applied,
  applyEdit,
  contentOf,
  DOCUMENT_VERSION,
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
  let parsed: FlowDocument | undefined;
  const single = edits.flatMap(singleEdits);
  if (single.length > LIMITS.editsAtOnce)
    throw new Problem(413, 'too_large', `Send at most ${LIMITS.editsAtOnce} edits at once.`);
  const applied: Edit[] = [];
  const inverses: Edit[] = [];
  let used = 0;
  let started = now();
  for (const edit of single) {
    const isWhole = edit.kind === 'set_flow';
    const { flow: next, inverse } = isWhole ? await replaceContent(current, edit.flow, now) : applyEdit(current, edit);
    applied.push(isWhole ? { kind: 'set_flow', flow: contentOf(next) } : edit);
    inverses.push(inverse);
    current = next;
    if (isWhole) parsed = next;
    const turn = now() - started;
    if (turn < TURN_MS) continue;
    used += turn;
    if (used > MAX_MS)
      throw new Problem(413, 'too_large', 'These edits take too long for a flow of this size. Send fewer at once.');
    await nextTurn();
    started = now();
  }
  if (current !== parsed) current = await inTurns(parseFlowInParts(current), { now });
  return { document: current, edits: applied, inverses };
}

/** The same as `applyEdit` of `set_flow`, which checks all nodes at once. @throws FlowError */
async function replaceContent(document: FlowDocument, content: FlowContent, now: () => number): Promise<Applied> {
  const given = { version: DOCUMENT_VERSION, ...contentOf(content) };
  const flow = await inTurns(parseFlowInParts(given), { now });
  return { flow, inverse: { kind: 'set_flow', flow: contentOf(document) } };
}
