import { isObject, parseWireJson } from '../wire-json.ts';
import type { BodyReading, Verdict } from '../wire.ts';
import { CallCollector, type CollectedCall } from './calls.ts';
import { readPayload, type ReadPayload, TRACE_OF_A_CALL } from './payload.ts';
import { type Marks, Removal } from './removal.ts';

/** A reply, and the call to which each of its parts belongs. */
export interface CollectedPayload {
  readonly read: ReadPayload;
  readonly marks: Marks;
}

/** Reads a payload and adds its calls to `collector`. `undefined` if it cannot be read reliably. */
export function collectPayload(payload: unknown, collector: CallCollector): CollectedPayload | undefined {
  const read = isObject(payload) ? readPayload(payload) : undefined;
  if (!read) return undefined;
  const marks: (CollectedCall | undefined)[][] = [];
  for (const candidate of read.candidates) {
    const calls: (CollectedCall | undefined)[] = [];
    for (const part of candidate.parts) {
      const call = part.call && collector.add(candidate.key, part);
      if (part.call && !call) return undefined;
      calls.push(call);
    }
    marks.push(calls);
  }
  return { read, marks };
}

/** The calls of a `GenerateContentResponse`. */
export function readGeminiBody(body: Buffer): BodyReading {
  // Valid JSON contains no NUL; Python's decoder would treat such bytes as UTF-16.
  if (body.includes(0)) return { kind: 'broken' };
  if (!TRACE_OF_A_CALL.test(body.toString('latin1'))) return { kind: 'plain' };
  const { collector, collected } = collectBody(body);
  if (!collected) return { kind: 'broken' };
  return collector.calls.length === 0
    ? { kind: 'plain' }
    : { kind: 'calls', calls: collector.calls.map((call) => call.seen()) };
}

/** The reply without its blocked calls: text in their place, and the signature where the API expects it. */
export function rewriteGeminiBody(body: Buffer, verdicts: readonly Verdict[]): Buffer {
  const { payload, collector, collected } = collectBody(body);
  if (!collected) throw new Error('only a body that was read can be rewritten');
  new Removal(collector.calls, verdicts).apply(collected.read, collected.marks);
  return Buffer.from(JSON.stringify(payload));
}

/** The calls of a whole reply, each complete or faulty. */
export function collectBody(body: Buffer) {
  const payload = parseWireJson(body.toString('utf8'))?.value;
  const collector = new CallCollector();
  const collected = collectPayload(payload, collector);
  collector.finish();
  return { payload, collector, collected };
}
