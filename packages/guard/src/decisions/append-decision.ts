import type { Decision } from '../decision.ts';
import { MAX_FILE_BYTES, openDecisionFile } from './decision-file.ts';
import { type DecisionContext, toRecord } from './decision-record.ts';

/**
 * Appends one decision to the log in a directory, for a process that handles a single call: `createDecisionLog` without
 * the in-memory list, counters and reading. Never changes the decision. Returns an error instead of throwing it, so
 * that the caller can report it.
 */
export function appendDecision(dir: string, decision: Decision, context: DecisionContext): Error | undefined {
  try {
    const file = openDecisionFile(dir, MAX_FILE_BYTES);
    try {
      const now = Date.now();
      // The id is time and process id: a process that handles one call needs no random part.
      const record = toRecord(decision, context, `${now.toString(36)}.${process.pid.toString(36)}`, now);
      file.append(`${JSON.stringify(record)}\n`);
    } finally {
      file.close();
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
