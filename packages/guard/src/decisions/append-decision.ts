import type { Decision } from '../decision.ts';
import { MAX_FILE_BYTES, openDecisionFile } from './decision-file.ts';
import { type DecisionContext, toRecord } from './decision-record.ts';

/**
 * Writes one decision to the log of a directory, for a process that lives for one call: `createDecisionLog` without list,
 * counters and reading. Changes nothing about the decision; what goes wrong is returned, for the caller to tell.
 */
export function appendDecision(dir: string, decision: Decision, context: DecisionContext): Error | undefined {
  try {
    const file = openDecisionFile(dir, MAX_FILE_BYTES);
    try {
      const now = Date.now();
      // Of one process and one call: nothing has to be drawn for it.
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
