import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** How long before a server closes a silent connection, as it says, it is not used any more: as node:http has it. */
const BEFORE_CLOSE_MS = 1000;

/** What of node:http's agents and sockets is used here and is not in its types. */
interface Asking {
  addRequest?: (request: ClientRequest, options: object) => void;
}
interface Kept extends Socket {
  _httpMessage?: (ClientRequest & { readonly res?: IncomingMessage }) | null;
}
interface Taking extends ClientRequest {
  onSocket(socket: Socket): void;
}

/**
 * Makes an agent hand its kept connections over with less work. For one origin, with one set of options, and no limit of
 * connections at once. New connections are node:http's own to make; it takes a fifth of what a request costs to put one
 * away and to find it again (names put together, timers, identities for tracing), and for one origin that is a list.
 *
 * As it does: the one used last is taken first; at most `maxFreeSockets` are kept; none longer than the agent's `timeout`,
 * nor than the server says it does. One on which something came that nobody asked for is not used.
 */
export function keepSockets(agent: Agent, idleMs: number): void {
  const free: { readonly socket: Kept; readonly until: number; readonly bytesRead: number }[] = [];
  const known = new WeakSet<Kept>();
  const asking = agent as unknown as Asking;
  const makeNew = asking.addRequest?.bind(agent);
  // A Node of another make: its agent does its work itself.
  if (!makeNew) return;
  let sweeping: NodeJS.Timeout | undefined;

  const forget = (socket: Kept): void => {
    const at = free.findIndex((one) => one.socket === socket);
    if (at !== -1) free.splice(at, 1);
  };
  const sweep = (): void => {
    sweeping = undefined;
    const now = performance.now();
    for (const { socket } of free.filter(({ until }) => until <= now)) {
      forget(socket);
      socket.destroy();
    }
    sweepLater();
  };
  const sweepLater = (): void => {
    if (sweeping || free.length === 0) return;
    const next = Math.min(...free.map(({ until }) => until));
    sweeping = setTimeout(sweep, Math.max(1, Math.ceil(next - performance.now()))).unref();
  };

  agent.removeAllListeners('free');
  agent.on('free', (socket: Kept) => {
    const keptMs = keptMsOf(socket, idleMs);
    if (!socket.writable || keptMs === undefined || free.length >= agent.maxFreeSockets) return void socket.destroy();
    if (!known.has(socket)) {
      known.add(socket);
      socket.on('close', () => forget(socket));
      // Who uses it hears of an error as well; while nobody does, it only ends the connection.
      socket.on('error', () => {});
    }
    socket._httpMessage = null;
    socket.unref();
    free.push({ socket, until: performance.now() + keptMs, bytesRead: socket.bytesRead });
    sweepLater();
  });

  asking.addRequest = (request, options) => {
    for (let last = free.pop(); last; last = free.pop()) {
      const { socket, until, bytesRead } = last;
      if (socket.destroyed || !socket.writable || !socket.readable) continue;
      if (until <= performance.now() || socket.bytesRead !== bytesRead) {
        socket.destroy();
        continue;
      }
      request.reusedSocket = true;
      socket.ref();
      // It has none: the end of the request before took it off.
      socket.setTimeout(idleMs);
      return (request as Taking).onSocket(socket);
    }
    makeNew(request, options);
  };
}

/** How long a connection may be kept; `undefined`: not at all. */
function keptMsOf({ _httpMessage: request }: Kept, idleMs: number): number | undefined {
  if (!request?.shouldKeepAlive) return undefined;
  const told = request.res?.headers['keep-alive'];
  const seconds = typeof told === 'string' ? /^timeout=(\d+)/.exec(told)?.[1] : undefined;
  if (seconds === undefined) return idleMs;
  const keptMs = Math.min(idleMs, Number(seconds) * 1000 - BEFORE_CLOSE_MS);
  return keptMs > 0 ? keptMs : undefined;
}
