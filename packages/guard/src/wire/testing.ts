import type { Decision, ObservedCall } from '../decision.ts';
import { GuardStream } from '../proxy/guard-stream.ts';
import type { GuardStreamOptions } from '../proxy/guard-stream-options.ts';
import { HeldBudget } from '../proxy/held-budget.ts';
import { judgeCalls, tooLargeVerdict } from '../proxy/judge-calls.ts';
import type { Framing } from '../framing/framing.ts';
import type { Wire } from './wire.ts';

/** Blocks calls with `/etc/` or `.ssh` in their arguments, in any form. */
export function blockOutside(call: ObservedCall): Decision {
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  const hostile = /\/etc\/|\.ssh/.test(text);
  return {
    decision: hostile ? 'block' : 'allow',
    rule: hostile ? 'outside-path' : 'allowed',
    reason: hostile ? 'It writes outside the project directory' : 'inside',
    accepted: hostile ? 'Use a path inside /home/u/proj.' : '',
    paths: [],
  };
}

export const allowAll = (): Decision => ({ decision: 'allow', rule: 'allowed', reason: '', accepted: '', paths: [] });

export interface StreamRun {
  readonly guard: GuardStream;
  readonly budget: HeldBudget;
  readonly judged: ObservedCall[];
  readonly out: () => Buffer;
}

/** A guarded stream whose output is recorded. */
export function openStream(
  wire: Wire,
  judge: (call: ObservedCall) => Decision,
  options: Partial<GuardStreamOptions> & { readonly contentType?: string; readonly url?: string } = {},
): StreamRun {
  const out: Buffer[] = [];
  const judged: ObservedCall[] = [];
  const budget = new HeldBudget(1 << 30);
  const enforce = options.enforce ?? true;
  const framing = wire.open(options.contentType ?? 'text/event-stream', options.url ?? '/');
  if (framing === undefined || framing === 'body') throw new Error('not a stream');
  const guard = new GuardStream({
    wire,
    framing: framing as Framing,
    out: (bytes) => out.push(bytes),
    judge: (calls) => {
      judged.push(...calls.flatMap((call) => call.readings));
      return judgeCalls(calls, judge, enforce);
    },
    tooLarge: () => tooLargeVerdict(enforce),
    budget,
    maxHeld: 1 << 20,
    maxRecorded: 0,
    enforce,
    ...options,
  });
  return { guard, budget, judged, out: () => Buffer.concat(out) };
}

/** Pushes the pieces and ends. */
export function play(run: StreamRun, pieces: readonly Buffer[]): Buffer {
  for (const piece of pieces) run.guard.push(piece);
  run.guard.end();
  return run.out();
}

/** Bytes between two cuts of one run: fewer than most frames have, so that most runs cut most frames. */
const STRIDE = 251;

/**
 * Yields the bytes cut at every position, into single bytes, and uncut. A short reply is cut in two, once per position.
 * For a long one that would take quadratic time: it is cut in two at and next to each line end, where frames begin and
 * end; every other position is one of many cuts in the same run.
 */
export function* everyCut(bytes: Buffer): Generator<Buffer[]> {
  const inTwo = (at: number) => [bytes.subarray(0, at), bytes.subarray(at)];
  const isLong = bytes.length > STRIDE * 2;
  for (let at = 0; at <= bytes.length; at++) if (!isLong || isAtLineEnd(bytes, at)) yield inTwo(at);
  if (isLong)
    for (let first = 1; first <= STRIDE; first++) {
      const pieces = [bytes.subarray(0, first)];
      for (let at = first; at < bytes.length; at += STRIDE) pieces.push(bytes.subarray(at, at + STRIDE));
      yield pieces;
    }
  yield Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  yield [bytes];
}

/** Whether a byte next to this position ends a line, or the bytes begin or end here. */
function isAtLineEnd(bytes: Buffer, at: number): boolean {
  if (at <= 1 || at >= bytes.length - 1) return true;
  return [bytes[at - 1], bytes[at]].some((byte) => byte === 10 || byte === 13);
}

/** The bytes that left, or the number of those that are still held, for the first cut that changes a stream. */
export function firstChange(open: () => StreamRun, bytes: Buffer): string | undefined {
  for (const pieces of everyCut(bytes)) {
    const run = open();
    const out = play(run, pieces);
    if (!out.equals(bytes)) return out.toString();
    if (run.budget.used !== 0) return `${run.budget.used} bytes are still held`;
  }
  return undefined;
}

/** The JSON of every data frame of an SSE reply except `[DONE]`. */
export function sseData(bytes: Buffer): Record<string, unknown>[] {
  return bytes
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice(5)) as Record<string, unknown>);
}
