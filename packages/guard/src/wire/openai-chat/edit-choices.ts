import { isObject, type JsonObject } from '../wire-json.ts';

/** The changes to one choice in one chunk. */
export interface ChoiceEdit {
  /** The new index of each `tool_calls` entry; `undefined` removes it. */
  readonly indexes: readonly (number | undefined)[];
  readonly dropFunctionCall: boolean;
  /** No call is left in this choice, so its finish reason must not announce one. */
  readonly withoutCalls: boolean;
  readonly dropRole: boolean;
}

/** Whether a finish reason announces calls. */
export function promisesCalls(finish: unknown): boolean {
  return finish === 'tool_calls' || finish === 'function_call';
}

/**
 * Removes entries from one choice of a chunk and renumbers the rest, in place. False if nothing is left of the choice
 * that a client needs, so that it can be removed.
 */
export function editChoice(choice: JsonObject, edit: ChoiceEdit): boolean {
  const delta = isObject(choice.delta) ? choice.delta : {};
  if (Array.isArray(delta.tool_calls)) {
    const kept = delta.tool_calls
      .map((entry: unknown, position) => ({ entry, index: edit.indexes[position] }))
      .filter(({ index }) => index !== undefined)
      .map(({ entry, index }) => (isObject(entry) ? { ...entry, index } : entry));
    if (kept.length > 0) delta.tool_calls = kept;
    else delete delta.tool_calls;
  }
  if (edit.dropFunctionCall) delete delta.function_call;
  if (edit.dropRole) delete delta.role;
  if (edit.withoutCalls && promisesCalls(choice.finish_reason)) choice.finish_reason = 'stop';
  const finished = typeof choice.finish_reason === 'string' && choice.finish_reason !== '';
  return finished || Object.values(delta).some((value) => value !== null && value !== '' && value !== undefined);
}
