import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { connectionOf, type EndpointParts, headerKey, queryKey } from './endpoint.ts';

const request = (headers: object, url?: string) => ({ headers, url }) as unknown as IncomingMessage;

it('takes a key from its header once, and from the URL by its name', () => {
  expect(headerKey(request({ 'x-gateway-key': 'k' }))).toBe('k');
  expect([headerKey(request({})), headerKey(request({ 'x-gateway-key': ['a', 'b'] }))]).toEqual([undefined, undefined]);
  expect(queryKey(request({}, '/events?x=1&apiKey=k%20y'))).toBe('k y');
  expect([queryKey(request({}, '/events?key=k')), queryKey(request({}))]).toEqual([undefined, undefined]);
});

it('hears the machine of a key, and takes no pairing token for one', async () => {
  let heard = 0;
  const connection = { heard: () => void heard++ };
  const partsOf = (kind: string) =>
    ({
      keys: { identify: async (key: string) => ({ kind, keyHash: `hash of ${key}` }) },
      machines: { ofKey: (hash: string) => (hash === 'hash of k' ? connection : undefined) },
    }) as unknown as EndpointParts;
  expect(await connectionOf(partsOf('session'), request({ 'x-gateway-key': 'k' }))).toBe(connection);
  expect(await connectionOf(partsOf('session'), request({ 'x-gateway-key': 'other' }))).toBeUndefined();
  expect(heard).toBe(1);
  await expect(connectionOf(partsOf('pairing'), request({ 'x-gateway-key': 'k' }))).rejects.toMatchObject({
    code: 'invalid_key',
  });
});
