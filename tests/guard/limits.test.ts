import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, type GuardedProcess, startGuardedProcess, writeAll } from './guarded-process.ts';

// Inputs that exceed a guard's limits. Each guard runs in a process of its own, whose memory is measured.
const MB = 1_000_000;
const HUNDRED_MB = 100 * MB;
/** Far below the size of the input, far above the garbage that the collector leaves. */
const MAX_RISE = 80;

let guarded: GuardedProcess;
afterEach(() => guarded.close());

const frame = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const callStart = (name = 'write_file') =>
  frame({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } }] });
const fragment = (text: string) => frame({ tool_calls: [{ index: 0, function: { arguments: text } }] });
const DONE = 'data: [DONE]\n\n';
const TEXT = frame({ role: 'assistant', content: 'Now. ' });

function beginStream(res: http.ServerResponse): void {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  res.write(TEXT);
}

function* times(text: string, bytes: number): Generator<string> {
  for (let sent = 0; sent < bytes; sent += text.length) yield text;
}

const client = () => new OpenAI({ apiKey: 'sk-test', baseURL: `${guarded.url}/v1` });
const REQUEST = { model: 'm', messages: [{ role: 'user' as const, content: 'write' }] };
const streamed = () => client().chat.completions.stream(REQUEST).finalChatCompletion();

describe('an argument of 100 MB', () => {
  it.each([
    ['in fragments of 64 KB', () => times(fragment('x'.repeat(65_536)), HUNDRED_MB)],
    ['in fragments of 3 bytes', () => times(fragment('xyz'), HUNDRED_MB)],
    [
      'in one frame',
      function* () {
        yield fragment('x').slice(0, -12);
        yield* times('x'.repeat(65_536), HUNDRED_MB);
      },
    ],
    ['with nothing in it but blank frames', () => times(': \n\n', HUNDRED_MB)],
  ])('%s is blocked without waiting for the rest, and the client gets a complete reply', async (_, pieces) => {
    guarded = await startGuardedProcess();
    let written: Promise<number> | undefined;
    guarded.answer((res) => {
      beginStream(res);
      res.write(callStart());
      written = writeAll(res, pieces());
    });
    const completion = await streamed();
    const { message, finish_reason } = completion.choices[0] ?? {};
    expect(message?.content).toMatch(/^Now\. .*too large/s);
    expect(message?.tool_calls ?? []).toEqual([]);
    expect(finish_reason).toBe('stop');
    expect(await written).toBeLessThan(40 * MB);
    expect(await guarded.peakRise()).toBeLessThan(MAX_RISE);
    expect(await guarded.settled()).toEqual({ open: 0, held: 0 });
  });
});

describe('a reply of 100 MB that is not streamed', () => {
  it.each([
    ['with its length', { 'Content-Length': String(HUNDRED_MB) }],
    ['without its length', {}],
  ])('%s is refused once, with an error that says why', async (_, headers) => {
    guarded = await startGuardedProcess();
    guarded.answer((res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', ...headers });
      void writeAll(res, times('x'.repeat(65_536), HUNDRED_MB)).then(() => res.end());
    });
    const error: unknown = await client()
      .chat.completions.create(REQUEST)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ status: 502, message: expect.stringContaining('too large') as string });
    expect(guarded.requests()).toBe(1);
    expect(await guarded.peakRise()).toBeLessThan(MAX_RISE + 32);
    expect(await guarded.settled()).toEqual({ open: 0, held: 0 });
  });
});

describe('a stream that never ends', () => {
  it('and is silent ends after the idle timeout, and another one continues', async () => {
    guarded = await startGuardedProcess({ idleMs: 1_000 });
    const pieces = [TEXT, ...Array.from({ length: 20 }, () => frame({ content: 'on ' })), frame({}, 'stop'), DONE];
    const answers: ((res: http.ServerResponse) => void)[] = [
      async (res) => {
        res.writeHead(200, { 'Content-Type': 'text/event-stream' });
        for (const piece of pieces) {
          res.write(piece);
          await wait(100);
        }
        res.end();
      },
      beginStream,
      (res) => {
        beginStream(res);
        res.write(callStart());
        res.write(fragment('{"path":"src'));
      },
    ];
    guarded.answer((res) => answers.shift()?.(res));
    const beside = ask(guarded.url);
    await once(beside.request, 'response');
    const silent = await Promise.allSettled([streamed(), streamed()]);
    expect(silent.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    for (const one of silent) expect((one as PromiseRejectedResult).reason).toBeInstanceOf(OpenAI.APIError);
    expect(await beside.got).toMatchObject({ text: pieces.join(''), ended: 'whole' });
    expect(await guarded.settled()).toEqual({ open: 0, held: 0 });
  });

  it('and is all text passes without being buffered', async () => {
    guarded = await startGuardedProcess();
    const total = HUNDRED_MB;
    guarded.answer((res) => {
      beginStream(res);
      void writeAll(res, times(frame({ content: 'word '.repeat(8_000) }), Number.POSITIVE_INFINITY));
    });
    const { request } = ask(guarded.url);
    const [reply] = (await once(request, 'response')) as [http.IncomingMessage];
    let read = 0;
    for await (const chunk of reply) {
      read += (chunk as Buffer).length;
      if (read > total) break;
    }
    expect(read).toBeGreaterThan(total);
    expect(await guarded.peakRise()).toBeLessThan(MAX_RISE);
    expect(await guarded.settled()).toEqual({ open: 0, held: 0 });
  });
});

describe('thousands of open streams', () => {
  /**
   * Each stream needs two descriptors here and two in the guard. Uses 1,500 streams, or fewer if the system allows
   * fewer descriptors.
   */
  const STREAMS = Math.min(1_500, Math.floor((descriptors() - 500) / 2));

  it(`${STREAMS} at once are held apart: each ends right, and one more gets 503`, async () => {
    guarded = await startGuardedProcess({ maxOpen: STREAMS, maxRetries: 0 });
    const replies = [
      [frame({ content: 'Done.' }), frame({}, 'stop'), DONE],
      [callStart(), fragment('{"path":"src/a.ts",'), fragment('"content":"x"}'), frame({}, 'tool_calls'), DONE],
      [callStart(), fragment('{"path":"/etc/cron.d/x",'), fragment('"content":"x"}'), frame({}, 'tool_calls'), DONE],
    ];
    const open: { res: http.ServerResponse; kind: number }[] = [];
    guarded.answer((res, { headers }) => {
      const kind = Number(headers['x-kind']);
      open.push({ res, kind });
      beginStream(res);
      for (const piece of (replies[kind] ?? []).slice(0, 2)) res.write(piece);
    });
    const agent = new http.Agent({ keepAlive: false });
    const got: { kind: number; reply: Promise<Got> }[] = [];
    for (let at = 0; at < STREAMS; at += 200) {
      const batch = Array.from({ length: Math.min(200, STREAMS - at) }, (_, i) => openOne((at + i) % 3, agent));
      got.push(...batch);
      await Promise.all(batch.map(({ begun }) => begun));
    }
    expect(await guarded.health()).toMatchObject({ open: STREAMS });
    const refused = await ask(guarded.url, agent).got;
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    for (const { res, kind } of open) {
      for (const piece of (replies[kind] ?? []).slice(2)) res.write(piece);
      res.end();
    }
    const wrong = new Set<string>();
    for (const { kind, reply } of got) {
      const { text, ended, status } = await reply;
      const isRight =
        kind === 2
          ? text.startsWith(TEXT) && text.includes('refused') && !text.includes('"write_file"') && text.endsWith(DONE)
          : text === [TEXT, ...(replies[kind] ?? [])].join('');
      if (status !== 200 || ended !== 'whole' || !isRight) wrong.add(`${kind}: ${status} ${ended} ${text}`);
    }
    expect([...wrong]).toEqual([]);
    expect(await guarded.settled()).toEqual({ open: 0, held: 0 });
    // Most of a stream's memory is two connections with their parsers, streams and headers: 40 KB.
    expect((await guarded.peakRise()) / STREAMS).toBeLessThan(0.1);
    agent.destroy();
  });

  type Got = Awaited<ReturnType<typeof ask>['got']>;
  function openOne(kind: number, agent: http.Agent): { kind: number; begun: Promise<unknown>; reply: Promise<Got> } {
    const { request, got } = ask(guarded.url, agent, { 'x-kind': String(kind) });
    return { kind, begun: once(request, 'response'), reply: got };
  }
});

describe('past the limit of what all replies may hold', () => {
  it('new requests get 503 until there is room again, and what is held stays', async () => {
    guarded = await startGuardedProcess({ maxTotal: MB });
    const pieces = [
      TEXT,
      callStart(),
      fragment('{"path":"src/a.ts","content":"'),
      ...times(fragment('x'.repeat(10_000)), 920_000),
      fragment('"}'),
      frame({}, 'tool_calls'),
      DONE,
    ];
    let rest = () => {};
    guarded.answer((res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (const piece of pieces.slice(0, -3)) res.write(piece);
      rest = () => res.end(pieces.slice(-3).join(''));
    });
    const first = ask(guarded.url);
    await once(first.request, 'response');
    while ((await guarded.health()).held < 920_000) await wait(10);
    const refused = await ask(guarded.url).got;
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    rest();
    expect((await first.got).text).toBe(pieces.join(''));
    expect(await guarded.settled()).toEqual({ open: 0, held: 0 });
    guarded.answer((res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"choices":[]}'));
    expect(await ask(guarded.url).got).toMatchObject({ status: 200 });
  });
});

describe('a connection that breaks off', () => {
  it('inside a held call is an error for the client, and frees what was held', async () => {
    guarded = await startGuardedProcess();
    guarded.answer((res) => {
      beginStream(res);
      res.write(callStart());
      res.write(fragment(`{"path":"src/a.ts","content":"${'x'.repeat(MB)}`), () => setTimeout(() => res.destroy(), 50));
    });
    await expect(streamed()).rejects.toThrow(OpenAI.APIError);
    expect(await guarded.settled()).toEqual({ open: 0, held: 0 });
  });

  it('on the side of the client frees what was held, and closes the upstream request', async () => {
    guarded = await startGuardedProcess();
    let gone: Promise<unknown> | undefined;
    guarded.answer((res) => {
      gone = once(res, 'close');
      beginStream(res);
      res.write(callStart());
      res.write(fragment(`{"path":"src/a.ts","content":"${'x'.repeat(MB)}`));
    });
    const { request, got } = ask(guarded.url);
    await once(request, 'response');
    while ((await guarded.health()).held < MB) await wait(10);
    request.destroy();
    await got.catch(() => {});
    await gone;
    expect(await guarded.settled()).toEqual({ open: 0, held: 0 });
  });
});

describe('a slow peer', () => {
  it('that reads slowly makes upstream wait, and gets every byte', async () => {
    guarded = await startGuardedProcess();
    const piece = frame({ content: 'word '.repeat(8_000) });
    let written = 0;
    guarded.answer((res) => {
      beginStream(res);
      void writeAll(
        res,
        (function* () {
          for (const text of times(piece, HUNDRED_MB)) {
            written += text.length;
            yield text;
          }
        })(),
      ).then(() => res.end());
    });
    const { request, got } = ask(guarded.url);
    const [reply] = (await once(request, 'response')) as [http.IncomingMessage];
    reply.pause();
    await wait(500);
    expect(written).toBeLessThan(40 * MB);
    reply.resume();
    expect((await got).text.length).toBe(written + TEXT.length);
    expect(await guarded.peakRise()).toBeLessThan(MAX_RISE);
    expect(await guarded.settled()).toEqual({ open: 0, held: 0 });
  });

  it('that takes a request slowly makes the client wait, and gets every byte', async () => {
    guarded = await startGuardedProcess({}, { eager: true });
    let taken = 0;
    guarded.answer((res, req) => {
      setTimeout(() => req.on('data', (chunk: Buffer) => (taken += chunk.length)), 500);
      req.on('end', () => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"choices":[]}'));
    });
    const request = http.request(`${guarded.url}/v1/chat/completions`, { method: 'POST' });
    const response = once(request, 'response') as Promise<[http.IncomingMessage]>;
    let written = 0;
    const all = writeAll(
      request,
      (function* () {
        for (const text of times('x'.repeat(65_536), HUNDRED_MB)) {
          written += text.length;
          yield text;
        }
      })(),
    ).then(() => request.end());
    await wait(400);
    expect(written).toBeLessThan(40 * MB);
    await all;
    const [reply] = await response;
    reply.resume();
    await once(reply, 'end');
    expect(taken).toBe(written);
    expect(await guarded.peakRise()).toBeLessThan(MAX_RISE);
    expect(await guarded.settled()).toEqual({ open: 0, held: 0 });
  });
});

/**
 * How many descriptors this process may open. Node raises its own limit to the system's maximum, also in the guard's
 * process.
 */
function descriptors(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? 10_000);
  } catch {
    return 10_000;
  }
}
