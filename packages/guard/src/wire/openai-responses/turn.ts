import { isObject, type JsonObject, parseWireJson } from '../wire-json.ts';
import type { BodyReading, Reply, Verdict } from '../wire.ts';
import type { Call } from './call.ts';
import { CallCollector } from './collector.ts';
import { isCallType, outputFor } from './items.ts';
import { noteItem } from './notes.ts';
import { openCalls } from './open-calls.ts';
import { INTERESTING, readEvent, readOutput } from './payload.ts';

/** A complete response, and the call of each item in its output. */
export interface Turn {
  readonly response: JsonObject;
  readonly items: readonly { readonly item: unknown; readonly call: Call | undefined }[];
  readonly collector: CallCollector;
}

/** The calls of a response that is not streamed. */
export function readBody(body: Buffer): BodyReading {
  const text = body.toString('utf8');
  const value = parseWireJson(text)?.value;
  if (value === undefined) return { kind: 'broken' };
  if (!isObject(value)) return { kind: INTERESTING.test(text) ? 'broken' : 'plain' };
  const turn = turnOf(value);
  if (!turn) return { kind: 'broken' };
  const calls = turn.collector.takeFresh();
  return calls.length === 0 ? { kind: 'plain' } : { kind: 'calls', calls };
}

/** The same body with each blocked call replaced by a message. */
export function rewriteBody(body: Buffer, verdicts: readonly Verdict[]): Buffer {
  const value = parseWireJson(body.toString('utf8'))?.value;
  const turn = isObject(value) ? turnOf(value) : undefined;
  if (!turn) throw new Error('a body is rewritten only after its calls were read');
  const byKey = new Map(verdicts.map((verdict) => [verdict.key, verdict]));
  const results: JsonObject[] = [];
  const output = turn.items.map(({ item, call }) => {
    if (!call) return item;
    const verdict = byKey.get(call.key);
    if (verdict && !verdict.blocked) return item;
    const result = call.item && outputFor(call.item, verdict?.result ?? '');
    if (result) results.push(result);
    return noteItem(verdict?.note ?? 'A tool call was stopped.', call.key);
  });
  openCalls.add(turn.response.id, results);
  return Buffer.from(JSON.stringify({ ...turn.response, output }));
}

/** The turn in a reply. `undefined` if it cannot be read reliably. Never throws. */
export function turnIn(reply: Reply): Turn | undefined {
  if ('frames' in reply) return turnInFrames(reply.frames);
  const value = parseWireJson(reply.body.toString('utf8'))?.value;
  return isObject(value) ? turnOf(value) : undefined;
}

function turnOf(response: JsonObject): Turn | undefined {
  if (isCallType(response.type) || Array.isArray(response.choices)) return undefined;
  const output = readOutput(response);
  if (!output) return undefined;
  const collector = new CallCollector();
  const about = { type: 'response.completed', payload: {}, index: undefined, itemId: undefined };
  const mark = collector.take({ ...about, kind: 'snapshot', response, output, final: true });
  return { response, items: output.map((item, at) => ({ item, call: mark?.outputs?.[at] })), collector };
}

function turnInFrames(frames: Extract<Reply, { frames: unknown }>['frames']): Turn | undefined {
  const collector = new CallCollector();
  const done: { item: unknown; call: Call | undefined }[] = [];
  let turn: Turn | undefined;
  for (const frame of frames) {
    if (frame.data === undefined) continue;
    // Reads every frame while a call is open, like the reader.
    if (!collector.open && !INTERESTING.test(frame.raw.toString('latin1'))) continue;
    const event = readEvent(frame);
    if (!event) continue;
    const mark = collector.take(event);
    if (!mark) return undefined;
    if (event.kind === 'item' && event.done) done.push({ item: event.item, call: mark.call });
    if (event.kind !== 'snapshot' || !event.final) continue;
    const items = event.output.map((item, at) => ({ item, call: mark.outputs?.[at] }));
    turn = { response: event.response, items: items.length > 0 ? items : done, collector };
    break;
  }
  return turn;
}
