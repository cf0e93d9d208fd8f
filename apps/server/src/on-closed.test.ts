import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { onClosed } from './on-closed.ts';

/** A response of a real server whose client is still there, and a function that makes the client leave. */
async function openResponse() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  return {
    response,
    async leave() {
      const closed = once(response, 'close');
      client.destroy();
      await closed;
      server.close();
    },
  };
}

it('calls once when the client leaves, and at once after it has left', async () => {
  const { response, leave } = await openResponse();
  const [before, after] = [vi.fn(), vi.fn()];
  onClosed(response, before);
  expect(before).not.toHaveBeenCalled();
  await leave();
  onClosed(response, after);
  expect([before.mock.calls.length, after.mock.calls.length]).toEqual([1, 1]);
});

it('does not call what was forgotten', async () => {
  const { response, leave } = await openResponse();
  const end = vi.fn();
  onClosed(response, end)();
  await leave();
  expect(end).not.toHaveBeenCalled();
});
