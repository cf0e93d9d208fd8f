import { parse, stringify } from 'lossless-json';
import { isObject, type JsonObject, parseWireJson } from '../wire-json.ts';
import type { Reply, Verdict } from '../wire.ts';
import { collectPayload } from './body.ts';
import { CallCollector, type CollectedCall } from './calls.ts';
import { foldName } from './members.ts';
import { readPayload } from './payload.ts';

interface Turn {
  readonly parts: JsonObject[];
  readonly calls: readonly CollectedCall[];
}

/**
 * Builds the retry: the original request with the model's content, including thoughts and signatures, and a
 * `functionResponse` for each of its calls. Every number stays as written; text in pieces is joined, and streamed
 * arguments become the one object a history has. `undefined` if several candidates were requested or received, if the
 * server continues from a state of its own (`continuationToken`), or if the request is not JSON of this protocol.
 */
export function retryGeminiRequest(request: Buffer, reply: Reply, verdicts: readonly Verdict[]): Buffer | undefined {
  try {
    const asked = parse(request.toString('utf8'));
    if (!isObject(asked)) return undefined;
    // Code Assist wraps the request like the reply.
    const inner = asked.contents === undefined && isObject(asked.request) ? asked.request : asked;
    if (!Array.isArray(inner.contents) || !isPlainRequest(inner)) return undefined;
    const turn =
      'body' in reply ? turnOf([reply.body.toString('utf8')]) : turnOf(reply.frames.map((frame) => frame.data));
    if (!turn || turn.calls.length === 0) return undefined;
    const results = turn.calls.map((call) => {
      const error = verdicts.find((verdict) => verdict.key === call.key)?.result ?? 'Not executed.';
      const id = call.id === undefined ? {} : { id: call.id };
      return { functionResponse: { ...id, name: call.name, response: { error } } };
    });
    inner.contents = [
      ...(inner.contents as unknown[]),
      { role: 'model', parts: turn.parts },
      { role: 'user', parts: results },
    ];
    const again = stringify(asked);
    return again === undefined ? undefined : Buffer.from(again);
  } catch {
    return undefined;
  }
}

function isPlainRequest(request: JsonObject): boolean {
  for (const [key, value] of Object.entries(request)) {
    const name = foldName(key);
    if (name === 'continuationtoken' && value !== null) return false;
    if (name !== 'generationconfig' || !isObject(value)) continue;
    for (const [setting, number] of Object.entries(value))
      if (foldName(setting) === 'candidatecount' && number !== null && Number(number) !== 1) return false;
  }
  return true;
}

/** The model's turn from a reply's texts. `undefined` if it is not one turn of one candidate. */
function turnOf(texts: readonly (string | undefined)[]): Turn | undefined {
  const collector = new CallCollector();
  const parts: JsonObject[] = [];
  const streamed: { call: CollectedCall; part: JsonObject }[] = [];
  for (const text of texts) {
    if (text === undefined) continue;
    const collected = collectPayload(parseWireJson(text)?.value, collector);
    if (!collected) continue;
    const [candidate, another] = collected.read.candidates;
    if (another || (candidate && candidate.key !== '0') || candidate?.finish === 'CONTINUATION') return undefined;
    // Parsed again to keep the numbers as written.
    const exact: unknown = parse(text.replace(/^\uFEFF/, ''));
    const exactParts = isObject(exact) ? readPayload(exact)?.candidates[0]?.parts : undefined;
    for (const [place, { part }] of (exactParts ?? []).entries()) {
      const call = collected.marks[0]?.[place];
      if (!call?.partial) addPart(parts, part);
      else if (streamed.every((each) => each.call !== call)) {
        const whole: JsonObject = {};
        streamed.push({ call, part: whole });
        parts.push(whole);
      }
    }
  }
  collector.finish();
  for (const { call, part } of streamed) {
    const id = call.id === undefined ? {} : { id: call.id };
    part.functionCall = { ...id, name: call.name, args: call.wholeArgs() };
    if (call.signature !== undefined) part.thoughtSignature = call.signature;
  }
  return { parts, calls: collector.calls };
}

/** Appends a part. Joins text to text of the same kind, unless either is signed. The API refuses empty parts. */
function addPart(parts: JsonObject[], part: JsonObject): void {
  const names = Object.keys(part);
  const plain = typeof part.text === 'string' && names.every((name) => name === 'text' || name === 'thought');
  if (names.length === 0 || (plain && part.text === '')) return;
  const before = parts.at(-1);
  const joins =
    plain &&
    typeof before?.text === 'string' &&
    Object.keys(before).every((name) => name === 'text' || name === 'thought') &&
    (before.thought === true) === (part.thought === true);
  if (joins) parts[parts.length - 1] = { ...before, text: `${String(before.text)}${String(part.text)}` };
  else parts.push({ ...part });
}
