import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import type { Wire } from '../wire/wire.ts';
import { describeRequest } from './guarded-request.ts';
import type { KeptBody } from './kept-body.ts';

it('has the facts of a request, and reads its model once', () => {
  let reads = 0;
  const wire = {
    name: 'anthropic',
    model: (_: unknown, url: string) => (++reads > 0 ? undefined : url),
  } as unknown as Wire;
  const kept = { bytes: () => undefined } as unknown as KeptBody;
  const headers = { 'x-one': 'a', 'set-cookie': ['b', 'c'] };
  const request = describeRequest({ headers, method: 'POST', url: '/v1?x' } as unknown as IncomingMessage, wire, kept);
  expect([request.wire, request.method, request.url]).toEqual(['anthropic', 'POST', '/v1?x']);
  expect([request.header('x-one'), request.header('set-cookie'), request.header('none')]).toEqual([
    'a',
    'b',
    undefined,
  ]);
  expect([request.model(), request.model(), reads]).toEqual([undefined, undefined, 1]);
  const bare = describeRequest({ headers: {} } as unknown as IncomingMessage, wire, kept);
  expect([bare.method, bare.url]).toEqual(['GET', '/']);
});
