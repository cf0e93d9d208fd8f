import type { Transport } from '@modelcontextprotocol/client';

const MAX_REQUESTS = 100;
/** A run keeps its connection for hours, in which a server may send many pings. */
const WINDOW_MS = 10_000;

/**
 * Ends the connection to a server that sends more than 100 requests in ten seconds, such as pings. The client answers each with a
 * request of its own, and one response can have a hundred thousand.
 */
export function limitRequests<Kind extends Transport>(transport: Kind): Kind {
  let receive: Transport['onmessage'];
  let requests = 0;
  let since = performance.now();
  const isTooMany = (): boolean => {
    const now = performance.now();
    if (requests <= MAX_REQUESTS && now - since >= WINDOW_MS) [requests, since] = [0, now];
    return ++requests > MAX_REQUESTS;
  };
  const limited: NonNullable<Transport['onmessage']> = (message, extra) => {
    if ('method' in message && 'id' in message && isTooMany()) void transport.close();
    if (requests <= MAX_REQUESTS) receive?.(message, extra);
  };
  return Object.defineProperty(transport, 'onmessage', {
    get: () => receive && limited,
    set(next: Transport['onmessage']) {
      receive = next;
    },
  });
}
