import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How long before a server's announced timeout a connection is no longer reused, in milliseconds; the same as in
 * node:http.
 */
const BEFORE_CLOSE_MS = 1000;

/** Members of node:http's agents and sockets that its types do not declare. */
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
 * Makes an agent reuse idle connections with less work. For one origin, with one set of options, and without a limit of
 * connections. node:http still opens new connections. Its bookkeeping for idle ones (names, timers, tracing ids) takes
 * a fifth of the cost of a request; for one origin a list is enough.
 *
 * As in node:http, the connection used last is reused first; at most `maxFreeSockets` are kept; none longer than the
 * agent's `timeout` or the server's announced one. A connection with unexpected input is not reused.
 */
export function keepSockets(agent: Agent, idleMs: number): void {
  const free: { readonly socket: Kept; readonly until: number; readonly bytesRead: number }[] = [];
  const known = new WeakSet<Kept>();
  const asking = agent as unknown as Asking;
  const makeNew = asking.addRequest?.bind(agent);
  // Another Node version without this internal method: its agent works unchanged.
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
      // An active request also gets errors. On an idle connection an error only closes it.
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
      // The socket has no timeout: the end of the previous request removed it.
      socket.setTimeout(idleMs);
      return (request as Taking).onSocket(socket);
    }
    makeNew(request, options);
  };
}

/** How long a connection may be kept idle, in milliseconds; `undefined` if not at all. */
function keptMsOf({ _httpMessage: request }: Kept, idleMs: number): number | undefined {
  if (!request?.shouldKeepAlive) return undefined;
  const told = request.res?.headers['keep-alive'];
  const seconds = typeof told === 'string' ? /^timeout=(\d+)/.exec(told)?.[1] : undefined;
  if (seconds === undefined) return idleMs;
  const keptMs = Math.min(idleMs, Number(seconds) * 1000 - BEFORE_CLOSE_MS);
  return keptMs > 0 ? keptMs : undefined;
}
