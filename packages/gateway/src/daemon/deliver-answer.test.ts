import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { deliverAnswer } from './deliver-answer.ts';
import { directFetch } from './direct-fetch.ts';
import { GatewayClient } from './gateway-client.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Delivers to a server that answers these statuses one after another, the last one again and again; 0 cuts the connection. */
async function deliver(statuses: readonly number[], signal = new AbortController().signal) {
  const bodies: string[] = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      const status = statuses[bodies.length - 1] ?? statuses.at(-1) ?? 200;
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new GatewayClient({ server: url, fetch: directFetch(), timeoutMs: 5_000, now: Date.now });
  const way = { client, redeliver: { minMs: 1, maxMs: 5 }, random: () => 0 };
  return { outcome: await deliverAnswer(way, 'gw_1', '{"result":1}', signal), bodies };
}

it.each([
  [[200], 'delivered', 1],
  [[299], 'delivered', 1],
  [[300], 'given_up', 1],
  [[413], 'too_large', 1],
  [[404], 'unwanted', 1],
  [[409], 'unwanted', 1],
  [[410], 'unwanted', 1],
  [[400], 'given_up', 1],
  [[503, 429, 200], 'delivered', 3],
  // A key that is being renewed.
  [[401, 403, 200], 'delivered', 3],
  // The server may have got the response: it accepts it once.
  [[0, 0, 409], 'unwanted', 3],
] as const)('a server that answers %j: the response is %s after %i requests', async (statuses, outcome, requests) => {
  const result = await deliver(statuses);
  expect(result.outcome).toBe(outcome);
  expect(result.bodies).toEqual(Array(requests).fill('{"result":1}'));
});

it('stops when nothing waits for the response any more', async () => {
  const controller = new AbortController();
  const delivery = deliver([503], controller.signal);
  setTimeout(() => controller.abort(), 50);
  expect((await delivery).outcome).toBe('given_up');
});
