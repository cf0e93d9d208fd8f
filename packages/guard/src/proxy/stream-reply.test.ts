import type { ServerResponse } from 'node:http';
import { get } from 'node:http';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { call, finish, HOSTILE, ROLE, sse, text } from '../wire/openai-chat/testing.ts';
import { beginSse, CHAT, completion, openTestProxy as open, sendJson } from './testing.ts';

const BLOCKED = sse([ROLE, text('I try.'), ...call(0, 'w', HOSTILE), finish('tool_calls'), '[DONE]']);
const FINE = sse([ROLE, text('Sorry.'), finish('stop'), '[DONE]']);
const streamed = (response: ServerResponse, bytes: Buffer): void => {
  beginSse(response, bytes);
  response.end();
};

it('sends a stream without a blocked call unchanged, and its headers without a length', async () => {
  const { chat, health } = await open((_, response) => {
    response.writeHead(200, 'Fine', {
      'Content-Type': 'text/event-stream',
      'Content-Length': FINE.length,
      'X-Id': '1',
    });
    response.end(FINE);
  });
  const got = await chat();
  expect([got.status, got.body, got.headers['x-id']]).toEqual([200, FINE.toString(), '1']);
  expect(got.headers['content-length']).toBeUndefined();
  expect(await health()).toMatchObject({ held: 0, open: 0 });
});

it('decodes a compressed stream', async () => {
  const { chat } = await open((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' });
    response.end(gzipSync(FINE));
  });
  const got = await chat();
  expect([got.body, got.headers['content-encoding']]).toEqual([FINE.toString(), undefined]);
});

it('sends the headers before the first event', async () => {
  const { port } = await open((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
  });
  const request = get({ host: '127.0.0.1', port, path: CHAT, method: 'POST', agent: false });
  const [response] = (await once(request, 'response')) as [{ statusCode: number }];
  expect(response.statusCode).toBe(200);
  request.destroy();
});

it('continues with the second reply if every call is blocked', async () => {
  const { chat, asked, health } = await open((_, response, count) => streamed(response, count === 1 ? BLOCKED : FINE));
  const { body } = await chat();
  expect(body).not.toContain('/etc/');
  expect([body.includes('I try.'), body.includes('Sorry.'), body.match(/\[DONE\]/g)?.length]).toEqual([true, true, 1]);
  expect(asked[1]?.body).toContain('outside the project directory');
  expect(await health()).toMatchObject({ held: 0 });
});

it('asks again as often as the limit says, with the request before', async () => {
  const { chat, asked } = await open((_, response) => streamed(response, BLOCKED), { limits: { maxRetries: 2 } });
  const { body } = await chat();
  expect(body).toContain('was refused');
  expect(asked.map((one) => (JSON.parse(one.body) as { messages: unknown[] }).messages.length)).toEqual([0, 2, 4]);
});

it('does not wait for the end of a reply that stays open', async () => {
  const { chat } = await open((_, response, count) =>
    count === 1 ? beginSse(response, BLOCKED) : streamed(response, FINE),
  );
  expect((await chat()).body).toContain('Sorry.');
});

it.each<[string, (response: ServerResponse) => void]>([
  ['an error', (response) => response.writeHead(500, { 'Content-Type': 'text/event-stream' }).end(FINE)],
  ['not a stream', (response) => sendJson(response, completion())],
  ['of no type', (response) => response.writeHead(200).end(FINE)],
  [
    'in an unknown coding',
    (response) => response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'x' }).end(FINE),
  ],
  ['missing', (response) => response.destroy()],
])('refuses the call in the reply if the second one is %s', async (_, answer) => {
  const { chat, asked } = await open((__, response, count) =>
    count === 1 ? streamed(response, BLOCKED) : answer(response),
  );
  const { body, cut } = await chat();
  expect([cut, body.includes('was refused'), body.includes('/etc/'), body.trimEnd().endsWith('[DONE]')]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(asked).toHaveLength(2);
});

it('does not ask again without retries, or if the request was too large to keep', async () => {
  for (const limits of [{ maxRetries: 0 }, { maxKeptRequest: 10 }]) {
    const { chat, asked, close } = await open((_, response) => streamed(response, BLOCKED), { limits });
    expect((await chat()).body).toContain('was refused');
    expect(asked).toHaveLength(1);
    close();
  }
});

it('ends a reply that breaks off inside a call with an error', async () => {
  const begun = sse([ROLE, ...call(0, 'w', HOSTILE)]);
  const { chat } = await open((_, response) => {
    beginSse(response, begun, () => response.destroy());
  });
  const { body, cut } = await chat();
  expect([cut, body.includes('/etc/')]).toEqual([false, false]);
  expect(body).toContain('The upstream reply broke off; a tool call that was not complete was dropped.');
});

it('breaks off where a reply breaks off outside of a call', async () => {
  const { chat } = await open((_, response) => {
    beginSse(response, sse([ROLE, text('hello')]), () => response.destroy());
  });
  const { body, cut } = await chat();
  expect([cut, body.includes('hello'), body.includes('error')]).toEqual([true, true, false]);
});

it('ends a silent reply with an error', async () => {
  const { chat } = await open((_, response) => beginSse(response, sse([ROLE, text('hello')])), {
    limits: { idleMs: 60 },
  });
  const { body, cut } = await chat();
  expect([cut, body.includes('The upstream reply broke off')]).toEqual([false, true]);
});

it('ends a reply that holds too much, and records it', async () => {
  const rules: string[] = [];
  const { chat } = await open((_, response) => beginSse(response, sse(call(0, 'w', `{"a":"${'x'.repeat(5_000)}"}`))), {
    limits: { maxHeld: 1_000 },
    onDecision: ({ decision, attempt }) => rules.push(`${decision.rule} ${attempt}`),
  });
  expect((await chat()).body).toContain('[DONE]');
  expect(rules).toEqual(['too-large 0']);
});

it('waits for a client that reads slowly', async () => {
  const many = sse([ROLE, ...Array.from({ length: 400 }, () => text('x'.repeat(10_000))), finish('stop'), '[DONE]']);
  const { port } = await open((_, response) => streamed(response, many));
  const request = get({ host: '127.0.0.1', port, path: CHAT, method: 'POST', agent: false });
  const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
  await new Promise<void>((resolve) => setImmediate(resolve));
  let size = 0;
  for await (const chunk of response) size += (chunk as Buffer).length;
  expect(size).toBe(many.length);
});
