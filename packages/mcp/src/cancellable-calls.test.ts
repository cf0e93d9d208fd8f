import type { AnyTool } from '@croft/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  CancellableCalls,
  clientOfSession,
  isFirstRequest,
  newSessionId,
  SESSION_HEADER,
  sessionOf,
} from './cancellable-calls.ts';
import { createServerFactory } from './create-server.ts';
import { createHttpEndpoint } from './serve-http.ts';

it("two callers with the same session id cannot cancel each other's calls", async () => {
  const ended: string[] = [];
  let begun = 0;
  const tool: AnyTool = {
    name: 'wait',
    title: 'Wait',
    description: 'Waits to be cancelled',
    tags: ['wait'],
    input: z.object({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (_, { signal }) =>
      new Promise((resolve) => {
        begun++;
        signal?.addEventListener('abort', () => {
          ended.push('cancelled');
          resolve({ ok: false, data: {} });
        });
      }),
  };
  const endpoint = createHttpEndpoint(createServerFactory({ name: 't', version: '1' }, () => ({ tools: [tool] })));
  const post = (clientId: string, message: object) =>
    endpoint.fetch(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
          'mcp-session-id': 'same',
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      }),
      { authInfo: { token: '', clientId, scopes: [] } },
    );
  const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
  try {
    void post('ann', { id: 1, method: 'tools/call', params: { name: 'wait', arguments: {} } });
    await expect.poll(() => begun).toBe(1);
    await post('bob', cancel);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(ended).toEqual([]);
    await post('ann', cancel);
    await expect.poll(() => ended).toEqual(['cancelled']);
  } finally {
    await endpoint.close();
  }
});

const request = (headers: Record<string, string> = {}, method = 'POST') =>
  new Request('http://127.0.0.1/mcp', { method, headers });
const never = new AbortController().signal;

it('aborts the call of this session and id, or of an aborted request, and no other', async () => {
  const calls = new CancellableCalls();
  const aborted: string[] = [];
  const run = (name: string, session: string, id: string | number, signal = never) =>
    calls.run(session, id, signal, async (own) => {
      await new Promise<void>((resolve) => {
        if (own.aborted) resolve();
        else own.addEventListener('abort', () => resolve());
      });
      aborted.push(name);
      return name;
    });
  const ending = new AbortController();
  const running = [run('a', 's', 1), run('b', 's', '1'), run('c', 't', 1), run('d', 's', 2, ending.signal)];
  calls.cancel('s', 3);
  calls.cancel('s', 1);
  expect(await running[0]).toBe('a');
  calls.cancel('s', '1');
  expect(await running[1]).toBe('b');
  ending.abort();
  expect(await running[3]).toBe('d');
  expect(aborted).toEqual(['a', 'b', 'd']);
  calls.cancel('t', 1);
  await running[2];
});

it('still cancels a call whose id an earlier call had that has ended since', async () => {
  const calls = new CancellableCalls();
  const steps: (() => void)[] = [];
  const run = () =>
    calls.run('s', 1, never, (signal) => new Promise<boolean>((resolve) => steps.push(() => resolve(signal.aborted))));
  const [first, second] = [run(), run()];
  steps[0]?.();
  expect(await first).toBe(false);
  calls.cancel('s', 1);
  steps[1]?.();
  expect(await second).toBe(true);
});

it('takes a session from its header, together with the caller', () => {
  expect(SESSION_HEADER).toBe('mcp-session-id');
  const named = request({ [SESSION_HEADER]: 'x' });
  expect([
    sessionOf(named, { clientId: 'ann' }),
    sessionOf(named, {}),
    sessionOf(named, undefined),
    sessionOf(request(), { clientId: 'ann' }),
    sessionOf(undefined, { clientId: 'ann' }),
  ]).toEqual(['["ann","x"]', '[null,"x"]', '[null,"x"]', undefined, undefined]);
});

it('knows the first request of a client', () => {
  expect([
    isFirstRequest(request()),
    isFirstRequest(request({}, 'GET')),
    isFirstRequest(request({ 'mcp-protocol-version': '2025-06-18' })),
    isFirstRequest(request({ [SESSION_HEADER]: 'x' })),
  ]).toEqual([true, false, false, false]);
});

it('makes an id that carries the name of the client, cut to 100 characters', () => {
  const id = (name: unknown) => newSessionId({ params: { clientInfo: { name } } });
  const nameIn = (text: string) => clientOfSession(request({ [SESSION_HEADER]: text }));
  expect([nameIn(id('cursor')), nameIn(id('ü/"')), nameIn(id('é'.repeat(101)))]).toEqual([
    'cursor',
    'ü/"',
    'é'.repeat(100),
  ]);
  const plain = [id(''), id(7), newSessionId(undefined), newSessionId({})];
  for (const one of plain) expect(one).toMatch(/^[\da-f-]{36}$/);
  expect(new Set(plain).size).toBe(4);
  const uuid = plain[0] as string;
  expect(
    [`${uuid}.YWI`, `${uuid}.`, uuid, `x${uuid}.YWI`, `${uuid}.${'a'.repeat(541)}`, `${uuid}.a b`].map(nameIn),
  ).toEqual(['ab', ...Array(5).fill(undefined)]);
  expect(clientOfSession(request())).toBeUndefined();
});
