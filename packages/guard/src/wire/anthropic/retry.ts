import { isObject, parseWireJson } from '../wire-json.ts';
import type { Reply, Verdict } from '../wire.ts';
import { replaceSpans, type Replacement, spanOf } from '../json-span.ts';
import { type TurnCall, turnOf } from './turn.ts';

/**
 * With these stop reasons the model does not wait for a result: it ran out of tokens, was cut off, or continues
 * upstream.
 */
const NO_RESULT_WANTED = new Set([
  'max_tokens',
  'model_context_window_exceeded',
  'refusal',
  'pause_turn',
  'compaction',
]);

/**
 * Builds the retry: the original request, the assistant's turn (text, thinking with its signatures, server tools and
 * their results, calls) and one user message that answers every call with an error. Every byte of the original request
 * stays; two messages are added. `undefined` if it cannot be built.
 */
export function retryAnthropicRequest(request: Buffer, reply: Reply, verdicts: readonly Verdict[]): Buffer | undefined {
  try {
    const text = request.toString('utf8').replace(/^\uFEFF/, '');
    const asked = parseWireJson(text)?.value;
    const messages = spanOf(text, ['messages']);
    if (!isObject(asked) || !Array.isArray(asked.messages) || asked.messages.length === 0 || !messages)
      return undefined;
    const turn = turnOf(reply);
    if (!turn || NO_RESULT_WANTED.has(turn.stop ?? '')) return undefined;
    const results = resultsFor(turn.calls, verdicts);
    if (!results) return undefined;
    const assistant = `{"role":"assistant","content":[${turn.blocks.join(',')}]}`;
    const user = JSON.stringify({ role: 'user', content: results });
    const end = { start: messages.end - 1, end: messages.end - 1 };
    const added: Replacement[] = [{ span: end, text: `,${assistant},${user}` }];
    if (turn.container !== undefined && (asked.container ?? undefined) === undefined)
      added.push(...nameContainer(text, turn.container, 'container' in asked));
    return Buffer.from(replaceSpans(text, added));
  } catch {
    return undefined;
  }
}

function resultsFor(calls: readonly TurnCall[], verdicts: readonly Verdict[]) {
  const ids = new Set(calls.map(({ call }) => call.id));
  if (calls.length === 0 || ids.has(undefined) || ids.size !== calls.length) return undefined;
  const results = [];
  for (const { key, call } of calls) {
    const verdict = verdicts.find((other) => other.key === key);
    if (!verdict || !call.native) return undefined;
    results.push({ type: 'tool_result', tool_use_id: call.id, is_error: true, content: verdict.result });
  }
  return results;
}

function nameContainer(text: string, id: string, isThere: boolean): Replacement[] {
  if (isThere) {
    const span = spanOf(text, ['container']);
    return span ? [{ span, text: JSON.stringify(id) }] : [];
  }
  const inside = text.indexOf('{') + 1;
  return [{ span: { start: inside, end: inside }, text: `"container":${JSON.stringify(id)},` }];
}
