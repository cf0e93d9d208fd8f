import { MAX_CONTENT_BYTES } from '@croft/tools';
import { expect, it } from 'vitest';
import { isUnknownName, readEvents } from './event-stream.ts';
import type { GatewayClient } from './gateway-client.ts';

it('takes the call of a write at the limit of content, however it is escaped', async () => {
  const content = '\u0001'.repeat(MAX_CONTENT_BYTES);
  const call = { name: 'write_file', arguments: { path: 'a', content } };
  const frame = JSON.stringify({
    type: 'filesystem-request',
    payload: { requestId: 'r', deadlineMs: 1, toolCall: call },
  });
  const headers = { 'content-type': 'text/event-stream' };
  const client = { events: async () => new Response(`data: ${frame}\n\n`, { headers }) };
  const seen: number[] = [];
  const end = await readEvents({
    client: client as unknown as GatewayClient,
    lastEventId: undefined,
    keyInQuery: false,
    silenceMs: 60_000,
    signal: new AbortController().signal,
    now: () => 0,
    onOpen: () => {},
    onEvent: (data) => seen.push(data.length),
  });
  expect(end).toEqual({ kind: 'lost', why: 'the server ended the connection' });
  expect(seen).toEqual([frame.length]);
});

it.each([
  ['ENOTFOUND', true],
  ['EAI_AGAIN', false],
  ['ECONNREFUSED', false],
])('%s means that the name of the server does not exist: %s', (code, expected) => {
  expect(isUnknownName(Object.assign(new Error('fetch failed'), { cause: { code } }))).toBe(expected);
});
