import { parse, stringify } from 'lossless-json';
import type { Frame } from '../../framing/framing.ts';
import { isObject, type JsonObject, parseWireJson } from '../wire-json.ts';
import type { Reply, Verdict } from '../wire.ts';
import { CallCollector, type CollectedCall } from './calls.ts';
import { readChoices } from './payload.ts';

/**
 * Members of a turn besides text and calls that upstreams need back: DeepSeek its reasoning, OpenRouter its signed
 * details.
 */
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

interface Turn {
  readonly message: JsonObject;
  readonly calls: readonly {
    readonly key: string;
    readonly id: string;
    readonly name: string;
    readonly legacy: boolean;
  }[];
}

/**
 * Builds the retry: the original request with the assistant's turn and a `tool` message for each of its calls. Every
 * number of the request stays as written. `undefined` if several choices were requested, or if the request is not JSON
 * of this protocol.
 */
export function retryChatRequest(request: Buffer, reply: Reply, verdicts: readonly Verdict[]): Buffer | undefined {
  try {
    const asked = parse(request.toString('utf8'));
    if (!isObject(asked) || !Array.isArray(asked.messages)) return undefined;
    if (asked.n !== undefined && asked.n !== null && Number(asked.n) !== 1) return undefined;
    const turn = 'body' in reply ? turnOfBody(reply.body) : turnOfFrames(reply.frames);
    if (!turn || turn.calls.length === 0) return undefined;
    const results = turn.calls.map((call) => {
      const content = verdicts.find((verdict) => verdict.key === call.key)?.result ?? 'Not executed.';
      return call.legacy
        ? { role: 'function', name: call.name, content }
        : { role: 'tool', tool_call_id: call.id, content };
    });
    const again = stringify({ ...asked, messages: [...(asked.messages as unknown[]), turn.message, ...results] });
    return again === undefined ? undefined : Buffer.from(again);
  } catch {
    return undefined;
  }
}

function turnOfBody(body: Buffer): Turn | undefined {
  const payload = parseWireJson(body.toString('utf8'))?.value;
  const choices = isObject(payload) ? readChoices(payload, 'message') : undefined;
  const [choice] = choices ?? [];
  if (choices?.length !== 1 || !choice) return undefined;
  const collected: { key: string; call: CollectedCall }[] = [];
  for (const [place, entry] of choice.toolCalls.entries()) {
    const call = new CallCollector('0').addToolCall(entry);
    if (call) collected.push({ key: `0/${place}`, call });
  }
  if (choice.functionCall !== undefined) {
    const call = new CallCollector('0').addFunctionCall(choice.functionCall);
    if (call) collected.push({ key: '0/legacy', call });
  }
  const reasoning: JsonObject = {};
  for (const name of REASONING) if (choice.message[name] != null) reasoning[name] = choice.message[name];
  return turn(choice.message.content ?? null, reasoning, collected);
}

function turnOfFrames(frames: readonly Frame[]): Turn | undefined {
  const collector = new CallCollector('0');
  const reasoning: JsonObject = {};
  let text = '';
  for (const frame of frames) {
    const payload = frame.data === undefined ? undefined : parseWireJson(frame.data)?.value;
    for (const choice of (isObject(payload) && readChoices(payload, 'delta')) || []) {
      if (choice.index !== '0') return undefined;
      if (typeof choice.message.content === 'string') text += choice.message.content;
      for (const name of REASONING) addReasoning(reasoning, name, choice.message[name]);
      for (const entry of choice.toolCalls) collector.addToolCall(entry);
      if (choice.functionCall !== undefined) collector.addFunctionCall(choice.functionCall);
    }
  }
  const collected = collector.calls.map((call) => ({ key: call.key, call }));
  return turn(text === '' ? null : text, reasoning, collected);
}

function addReasoning(reasoning: JsonObject, name: string, more: unknown): void {
  const before = reasoning[name];
  if (typeof more === 'string' && more !== '') reasoning[name] = `${typeof before === 'string' ? before : ''}${more}`;
  else if (Array.isArray(more)) reasoning[name] = [...(Array.isArray(before) ? (before as unknown[]) : []), ...more];
}

function turn(
  content: unknown,
  reasoning: JsonObject,
  collected: readonly { key: string; call: CollectedCall }[],
): Turn {
  const entries: JsonObject[] = [];
  const message: JsonObject = { role: 'assistant', content, ...reasoning };
  const calls = collected.map(({ key, call }, place) => {
    const id = call.id ?? `call_croft_guard_${place}`;
    const custom = call.custom.used;
    const name = (custom ? call.custom : call.function).names()[0] ?? '';
    if (call.legacy) message.function_call = { name, arguments: sendable(call) };
    else if (custom) entries.push({ ...call.extra, id, type: 'custom', custom: { name, input: call.custom.text() } });
    else entries.push({ ...call.extra, id, type: 'function', function: { name, arguments: sendable(call) } });
    return { key, id, name, legacy: call.legacy };
  });
  if (entries.length > 0) message.tool_calls = entries;
  return { message, calls };
}

/**
 * The arguments as the model wrote them. Invalid ones are replaced: upstreams that parse them would refuse the request.
 */
function sendable(call: CollectedCall): string {
  if (call.function.object) return JSON.stringify(call.function.object);
  const text = call.function.text();
  try {
    return isObject(JSON.parse(text)) ? text : '{}';
  } catch {
    return '{}';
  }
}
