import type { Transport } from '@modelcontextprotocol/client';

const MAX_REQUESTS = 100;

/**
 * Ends the connection to a server that sends more than 100 requests, such as pings. The client answers each with a request of its
 * own, and one response can have a hundred thousand.
 */
export function limitRequests<Kind extends Transport>(transport: Kind): Kind {
  let receive: Transport['onmessage'];
  let requests = 0;
  const limited: NonNullable<Transport['onmessage']> = (message, extra) => {
    if ('method' in message && 'id' in message) requests += 1;
    if (requests === MAX_REQUESTS + 1) void transport.close();
    if (requests <= MAX_REQUESTS) receive?.(message, extra);
  };
  return Object.defineProperty(transport, 'onmessage', {
    get: () => receive && limited,
    set(next: Transport['onmessage']) {
      receive = next;
    },
  });
}
