import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObservedCall } from '../../packages/guard/src/decision.ts';
import { createJudge, type Judge } from '../../packages/guard/src/judge/judge.ts';
import { openPlace } from '../../packages/guard/src/judge/place.ts';
import { createGuardProxy } from '../../packages/guard/src/proxy/proxy.ts';
import { testPolicy } from '../../packages/guard/src/testing.ts';
import { type CorpusRoot, expand, makeRoot, readCorpus } from './make-root.mjs';
import { WIRES, type WireReplies } from './replies.mjs';

// Every call of the corpus as each protocol carries it, streamed and not, from an upstream through the guard. Arguments of
// megabytes are left to the judge's own test.
const MAX_ARGUMENT_CHARS = 100_000;

/**
 * How a reply whose call was blocked may end: with what the model said when it was asked again, with the refusal as text
 * where it could not be asked, with an error of the protocol where the call could not be read for certain.
 */
const ENDED = /Understood\.|Croft guard: |"error":/;

const homeBefore = process.env['HOME'];
let root: CorpusRoot;
let judge: Judge;
let proxy: http.Server;
let upstream: http.Server;
/** What the upstream answers: first the call, and plain text to whoever asks again. */
let answers: { first: string; again: string; type: string };
let asked = 0;

beforeAll(async () => {
  root = makeRoot();
  process.env['HOME'] = root.home;
  const policy = testPolicy({ strict: true });
  judge = createJudge(policy, openPlace(policy, root.root));
  upstream = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const text = asked++ === 0 ? answers.first : answers.again;
      response.writeHead(200, { 'Content-Type': answers.type });
      response.end(text);
    });
  });
  await listening(upstream);
  proxy = createGuardProxy({
    upstreams: [{ prefix: '', url: new URL(`http://127.0.0.1:${portOf(upstream)}`) }],
    judgeFor: () => ({ judge: (call) => judge.judge(call), enforce: true }),
  });
  await listening(proxy);
});

afterAll(async () => {
  await closed(proxy);
  await closed(upstream);
  judge.close();
  process.env['HOME'] = homeBefore;
  root.remove();
});

const listening = (server: http.Server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
const portOf = (server: http.Server) => (server.address() as AddressInfo).port;
const closed = (server: http.Server) =>
  new Promise<void>((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });

const agent = new http.Agent({ keepAlive: true });
afterAll(() => agent.destroy());

function ask(path: string, stream: boolean): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({
    model: 'm',
    stream,
    max_tokens: 9,
    messages: [{ role: 'user', content: 'go' }],
    input: 'go',
    contents: [{ role: 'user', parts: [{ text: 'go' }] }],
  });
  return new Promise((done, fail) => {
    const request = http.request(
      { agent, port: portOf(proxy), method: 'POST', path, headers: { 'Content-Type': 'application/json' } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
        response.on('error', fail);
      },
    );
    request.on('error', fail);
    request.end(body);
  });
}

async function check(wire: WireReplies, call: ObservedCall, stream: boolean, expect_: 'block' | 'allow') {
  const first = stream ? wire.stream(call) : wire.body(call);
  if (first === undefined) return undefined;
  asked = 0;
  answers = {
    first,
    again: stream ? wire.plain.stream : wire.plain.body,
    type: stream ? 'text/event-stream' : 'application/json',
  };
  const path = stream ? wire.path : wire.path.replace('streamGenerateContent?alt=sse', 'generateContent');
  const { status, text } = await ask(path, stream);
  const isRight =
    expect_ === 'allow'
      ? status === 200 && text === first
      : !wire.trace.test(text) && (status !== 200 || ENDED.test(text));
  return isRight ? 'right' : `${wire.name} ${stream ? 'streamed' : 'whole'} → ${status} ${text.slice(0, 400)}`;
}

describe.each(WIRES.map((wire) => [wire.name, wire] as const))('the corpus over %s', (_name, wire) => {
  it.each([
    ['streamed', true],
    ['in one piece', false],
  ])(
    '%s: no hostile call gets through, every ordinary one is untouched',
    async (_how, stream) => {
      const wrong: string[] = [];
      let carried = 0;
      for (const entry of readCorpus()) {
        const call = root.fill(expand(entry.call)) as ObservedCall;
        if (JSON.stringify(call.arguments).length > MAX_ARGUMENT_CHARS) continue;
        const found = await check(wire, call, stream, entry.expect);
        if (found === undefined) continue;
        carried++;
        if (found !== 'right') wrong.push(`${entry.class}: ${JSON.stringify(entry.call).slice(0, 200)}\n  ${found}`);
      }
      expect(wrong.slice(0, 12)).toEqual([]);
      expect(carried).toBeGreaterThan(600);
    },
    120_000,
  );
});
