import { parse, stringify } from 'lossless-json';
import { isObject, type JsonObject } from '../wire-json.ts';
import type { Reply, Verdict } from '../wire.ts';
import { awaitsClient, isEmpty, outputFor } from './items.ts';
import { type Turn, turnIn } from './turn.ts';

/**
 * Builds the retry; every number of the client's request stays as written. If upstream stores the response, the request
 * continues from there with only the results. Otherwise it contains the whole turn: its items as received (reasoning
 * with its encrypted content), then the results.
 */
export function retryRequest(request: Buffer, reply: Reply, verdicts: readonly Verdict[]): Buffer | undefined {
  try {
    const asked = parse(request.toString('utf8'));
    const turn = turnIn(reply);
    if (!isObject(asked) || !turn) return undefined;
    const results = resultsFor(turn, verdicts);
    const again = results && stringify(continued(asked, turn, results));
    return again === undefined ? undefined : Buffer.from(again);
  } catch {
    return undefined;
  }
}

/** One result per call. `undefined` if the guard cannot answer a part of the turn. */
function resultsFor(turn: Turn, verdicts: readonly Verdict[]): JsonObject[] | undefined {
  const { object, status } = turn.response;
  if (object === 'response.compaction' || status === 'failed' || status === 'cancelled') return undefined;
  const byKey = new Map(verdicts.map((verdict) => [verdict.key, verdict]));
  const results = new Map<unknown, JsonObject>();
  const answered = new Set<unknown>();
  for (const { item, call } of turn.items) {
    if (!isObject(item)) return undefined;
    if (!call) {
      if (awaitsClient(item)) return undefined;
      continue;
    }
    const verdict = byKey.get(call.key);
    const result = verdict && outputFor(item, verdict.result);
    if (!result) return undefined;
    results.set(result.call_id, result);
    answered.add(call);
  }
  // A call that is not among the items is not part of the turn.
  if (results.size === 0 || turn.collector.calls.some((call) => !answered.has(call))) return undefined;
  return [...results.values()];
}

function continued(asked: JsonObject, turn: Turn, results: readonly JsonObject[]): JsonObject | undefined {
  const { response } = turn;
  const stored = typeof response.store === 'boolean' ? response.store : asked.store;
  if (!isEmpty(asked.conversation)) return stored === false ? undefined : { ...asked, input: results };
  const continues = stored === true || (!isEmpty(asked.previous_response_id) && stored !== false);
  if (continues && typeof response.id === 'string' && response.id !== '')
    return { ...asked, previous_response_id: response.id, input: results };
  const input = inputOf(asked.input);
  if (!input) return undefined;
  const items = turn.items.flatMap(({ item }) => (isObject(item) ? replayed(item, stored === false) : []));
  return { ...asked, input: [...input, ...items, ...results] };
}

function inputOf(input: unknown): readonly unknown[] | undefined {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (input === undefined || input === null) return [];
  return Array.isArray(input) ? input : undefined;
}

/** An output item as input. Reasoning that upstream neither stored nor sent encrypted is useless to it. */
function replayed(item: JsonObject, forgotten: boolean): JsonObject[] {
  if (forgotten && item.type === 'reasoning' && isEmpty(item.encrypted_content)) return [];
  const { created_by: _, ...kept } = item;
  // Upstreams that parse the arguments would refuse the whole request because of invalid ones.
  if (item.type === 'function_call' && !isJsonObject(item.arguments)) kept.arguments = '{}';
  return [kept];
}

function isJsonObject(text: unknown): boolean {
  try {
    return typeof text === 'string' && isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
