import { isObject, parseWireJson } from '../wire-json.ts';
import type { BodyReading, SeenCall, Verdict } from '../wire.ts';
import { CallCollector } from './calls.ts';
import { promisesCalls } from './edit-choices.ts';
import { readChoices, TRACE_OF_A_CALL } from './payload.ts';

/** The calls of a `chat.completion`, including the old `function_call`. */
export function readChatBody(body: Buffer): BodyReading {
  if (!TRACE_OF_A_CALL.test(body.toString('latin1'))) return { kind: 'plain' };
  const payload = parseWireJson(body.toString('utf8'))?.value;
  const choices = isObject(payload) ? readChoices(payload, 'message') : undefined;
  if (!choices) return { kind: 'broken' };
  const calls: SeenCall[] = [];
  for (const [position, { toolCalls, functionCall }] of choices.entries()) {
    for (const [place, entry] of toolCalls.entries()) {
      const seen = seenAlone(`${position}/${place}`, (one) => one.addToolCall(entry) !== undefined);
      if (!seen) return { kind: 'broken' };
      calls.push(seen);
    }
    if (functionCall === undefined) continue;
    const seen = seenAlone(`${position}/legacy`, (one) => one.addFunctionCall(functionCall) !== undefined);
    if (!seen) return { kind: 'broken' };
    calls.push(seen);
  }
  return calls.length === 0 ? { kind: 'plain' } : { kind: 'calls', calls };
}

/** A call that is not streamed: its index, if any, has no meaning. */
function seenAlone(key: string, add: (collector: CallCollector) => boolean): SeenCall | undefined {
  const collector = new CallCollector(key);
  if (!add(collector)) return undefined;
  const [seen] = collector.seen(collector.calls);
  return seen && { ...seen, key };
}

/** The completion without its blocked calls: text in their place, and a fitting finish reason. */
export function rewriteChatBody(body: Buffer, verdicts: readonly Verdict[]): Buffer {
  const blocked = new Map(verdicts.filter((verdict) => verdict.blocked).map((verdict) => [verdict.key, verdict.note]));
  const payload = parseWireJson(body.toString('utf8'))?.value;
  const choices = isObject(payload) ? readChoices(payload, 'message') : undefined;
  if (!choices) throw new Error('only a body that was read can be rewritten');
  for (const [position, { choice, message, toolCalls }] of choices.entries()) {
    const notes: string[] = [];
    const kept = toolCalls.filter((_, place) => takeOut(`${position}/${place}`, blocked, notes));
    if (toolCalls.length > 0) {
      if (kept.length > 0) message.tool_calls = kept;
      else delete message.tool_calls;
    }
    if (!takeOut(`${position}/legacy`, blocked, notes)) delete message.function_call;
    if (notes.length > 0) message.content = withNotes(message.content, notes);
    const callLeft = kept.length > 0 || isObject(message.function_call);
    if (notes.length > 0 && !callLeft && promisesCalls(choice.finish_reason)) choice.finish_reason = 'stop';
  }
  return Buffer.from(JSON.stringify(payload));
}

function takeOut(key: string, blocked: ReadonlyMap<string, string>, notes: string[]): boolean {
  const note = blocked.get(key);
  if (note === undefined) return true;
  notes.push(note);
  return false;
}

function withNotes(content: unknown, notes: readonly string[]): unknown {
  const text = notes.join('\n\n');
  if (Array.isArray(content)) return [...(content as unknown[]), { type: 'text', text }];
  return typeof content === 'string' && content.trim() !== '' ? `${content}\n\n${text}` : text;
}
