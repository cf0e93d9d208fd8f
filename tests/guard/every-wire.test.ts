import type * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Decision, ObservedCall } from '../../packages/guard/src/decision.ts';
import { createJudge, type Judge } from '../../packages/guard/src/judge/judge.ts';
import { openPlace } from '../../packages/guard/src/judge/place.ts';
import { createGuardProxy } from '../../packages/guard/src/proxy/proxy.ts';
import { testPolicy } from '../../packages/guard/src/testing.ts';
import { type CorpusEntry, type CorpusRoot, expand, makeRoot, readCorpus } from './make-root.mjs';
import { RawClient, type RawServer, replyBytes, startRawServer } from './raw-http.ts';
import { WIRES, type WireReplies } from './replies.mjs';

// Sends every call of the corpus through the guard, in each protocol, streamed and whole. Consecutive calls with the
// same expectation share a reply. A reply of ordinary calls must arrive byte for byte. A reply of hostile calls must
// arrive without a trace of any call, and without an error, which could hide one. If a reply fails, each of its calls
// is sent alone to find the cause. A call of the corpus gets the decision that the corpus states, which
// `corpus.test.ts` requires of the judge. The judge decides every other call that a wire reads. The judge's own test
// covers arguments of megabytes.
const MAX_ARGUMENT_CHARS = 100_000;
const MAX_CALLS = 64;
const MAX_REPLY_CHARS = 200_000;

/**
 * The possible ends of a reply whose call was blocked: the model's text after a retry, the refusal as text if no retry
 * was possible, or an error of the protocol if the call could not be read reliably.
 */
const ENDED = /Understood\.|Croft guard: |"error":/;

/** An entry of the corpus with its call expanded. */
interface Sample {
  readonly entry: CorpusEntry;
  readonly call: ObservedCall;
  readonly chars: number;
}

/** The call as text, with its arguments as a wire carries them. */
const textOf = ({ name, arguments: given, isText }: ObservedCall): string =>
  JSON.stringify([name, typeof given === 'string' ? given : JSON.stringify(given), isText]);

const decisionFor = ({ expect, rule }: CorpusEntry): Decision => ({
  decision: expect,
  rule: (rule ?? 'outside-path') as Decision['rule'],
  reason: 'See the corpus.',
  paths: [],
  accepted: 'nothing',
});

let root: CorpusRoot;
let judge: Judge;
let samples: Sample[];
let proxy: http.Server;
let upstream: RawServer;
let client: RawClient;
/** The upstream's replies: the call first, and plain text for a retry. */
let answers: { first: Buffer; again: Buffer };
let asked = 0;

beforeAll(async () => {
  root = makeRoot();
  vi.stubEnv('HOME', root.home);
  samples = readCorpus().flatMap((entry) => {
    const call = root.fill(expand(entry.call)) as ObservedCall;
    const chars = JSON.stringify(call.arguments).length;
    return chars > MAX_ARGUMENT_CHARS ? [] : [{ entry, call, chars }];
  });
  const policy = testPolicy({ strict: true });
  judge = createJudge(policy, openPlace(policy, root.root));
  const known = new Map(samples.map(({ entry, call }) => [textOf(call), decisionFor(entry)]));
  const decide = (call: ObservedCall): Decision => known.get(textOf(call)) ?? judge.judge(call);
  upstream = await startRawServer(() => (asked++ === 0 ? answers.first : answers.again));
  proxy = createGuardProxy({
    upstreams: [{ prefix: '', url: new URL(`http://127.0.0.1:${upstream.port}`) }],
    judgeFor: () => ({ judge: decide, enforce: true }),
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', () => done()));
  client = new RawClient((proxy.address() as AddressInfo).port);
});

afterAll(async () => {
  client.close();
  await new Promise<void>((done) => {
    proxy.close(() => done());
    proxy.closeAllConnections();
  });
  upstream.close();
  judge.close();
  vi.unstubAllEnvs();
  root.remove();
});

const request = (stream: boolean) =>
  JSON.stringify({
    model: 'm',
    stream,
    max_tokens: 9,
    messages: [{ role: 'user', content: 'go' }],
    input: 'go',
    contents: [{ role: 'user', parts: [{ text: 'go' }] }],
  });
const REQUESTS = { streamed: request(true), whole: request(false) };

/** One protocol in one of its forms. */
interface Form {
  readonly name: string;
  readonly path: string;
  readonly request: string;
  readonly trace: RegExp;
  /** Returns `undefined` if the protocol cannot carry a call. */
  readonly carry: (...calls: ObservedCall[]) => string | undefined;
  readonly reply: (text: string) => Buffer;
  readonly again: Buffer;
}

function formOf(wire: WireReplies, stream: boolean): Form {
  const reply = (text: string) => replyBytes(stream ? 'text/event-stream' : 'application/json', text);
  return {
    name: `${wire.name} ${stream ? 'streamed' : 'whole'}`,
    path: stream ? wire.path : wire.path.replace('streamGenerateContent?alt=sse', 'generateContent'),
    request: stream ? REQUESTS.streamed : REQUESTS.whole,
    trace: wire.trace,
    carry: stream ? wire.stream : wire.body,
    reply,
    again: reply(stream ? wire.plain.stream : wire.plain.body),
  };
}

async function send(form: Form, first: string): Promise<{ status: number; body: Buffer }> {
  asked = 0;
  answers = { first: form.reply(first), again: form.again };
  return client.post(form.path, form.request);
}

/** Sends these calls in one reply and returns what went wrong; empty if nothing did. */
async function check(form: Form, calls: readonly Sample[], expected: 'block' | 'allow'): Promise<string[]> {
  const first = form.carry(...calls.map(({ call }) => call)) as string;
  const { status, body } = await send(form, first);
  if (expected === 'allow' && status === 200 && body.equals(Buffer.from(first))) return [];
  const text = body.toString();
  const isHidden = !form.trace.test(text) && (status !== 200 || ENDED.test(text));
  const mayHideOne = calls.length > 1 && (status !== 200 || text.includes('"error":'));
  if (expected === 'block' && isHidden && !mayHideOne) return [];
  if (calls.length > 1) {
    const found = [];
    for (const sample of calls) found.push(...(await check(form, [sample], expected)));
    const isError = expected === 'block' && isHidden;
    return found.length > 0 || isError
      ? found
      : [`${form.name}: ${calls.length} calls that are right alone are wrong together`];
  }
  const [{ entry }] = calls as [Sample];
  const what = `${entry.class}: ${JSON.stringify(entry.call).slice(0, 200)}`;
  return [`${what}\n  ${form.name} → ${status} ${text.slice(0, 400)}`];
}

/** Groups the samples into replies: consecutive ones with the same expectation. */
function* replies(form: Form): Generator<Sample[]> {
  let together: Sample[] = [];
  let chars = 0;
  for (const sample of samples) {
    if (form.carry(sample.call) === undefined) continue;
    const isOther = together[0] !== undefined && together[0].entry.expect !== sample.entry.expect;
    if (isOther || together.length === MAX_CALLS || chars + sample.chars > MAX_REPLY_CHARS) {
      if (together.length > 0) yield together;
      together = [];
      chars = 0;
    }
    together.push(sample);
    chars += sample.chars;
  }
  if (together.length > 0) yield together;
}

describe.each(WIRES.map((wire) => [wire.name, wire] as const))('the corpus over %s', (_name, wire) => {
  it.each([
    ['streamed', true],
    ['in one piece', false],
  ])('%s: no hostile call gets through, every ordinary one is untouched', async (_how, stream) => {
    const form = formOf(wire, stream);
    const wrong: string[] = [];
    let carried = 0;
    for (const calls of replies(form)) {
      wrong.push(...(await check(form, calls, calls[0]?.entry.expect ?? 'block')));
      carried += calls.length;
    }
    expect(wrong.slice(0, 12)).toEqual([]);
    expect(carried).toBeGreaterThan(600);
  });
});
