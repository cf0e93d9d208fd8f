import type { Transport } from '@modelcontextprotocol/client';
import { afterEach, expect, it, vi } from 'vitest';
import { limitRequests } from './limit-requests.ts';

afterEach(() => void vi.restoreAllMocks());

/** A connection whose messages the test makes, and the ids that arrive. */
function connection() {
  const arrived: unknown[] = [];
  const close = vi.fn(async () => {});
  const transport = limitRequests<Transport>({ start: async () => {}, send: async () => {}, close });
  transport.onmessage = (message) => void arrived.push('id' in message ? message.id : undefined);
  const ping = (id: number) => transport.onmessage?.({ jsonrpc: '2.0', id, method: 'ping' });
  return { transport, arrived, close, ping };
}

it('ends a connection with more than 100 requests in ten seconds, and passes nothing on after them', () => {
  const { transport, arrived, close, ping } = connection();
  for (let id = 1; id <= 100; id++) ping(id);
  expect(close).not.toHaveBeenCalled();
  for (let id = 101; id <= 102; id++) ping(id);
  transport.onmessage?.({ jsonrpc: '2.0', id: 500, result: {} });
  expect(arrived).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  expect(close).toHaveBeenCalledTimes(2);
});

it('keeps a connection whose server asks now and then whether it is alive', () => {
  let clock = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const { arrived, close, ping } = connection();
  for (let id = 1; id <= 1_000; id++, clock += 1_000) ping(id);
  expect(arrived).toHaveLength(1_000);
  expect(close).not.toHaveBeenCalled();
});
