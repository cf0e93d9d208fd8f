import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The address of the server behind a proxy. */
  readonly publicUrl?: string | undefined;
  /** How long a request may take to arrive; Node's default if absent. Headers must arrive within Node's default. */
  readonly requestTimeoutMs?: number;
}

/** A socket that is listening. */
export interface HttpServer {
  readonly port: number;
  /** Where people reach the server, without a slash at the end. */
  readonly url: string;
  /** Address and port that it listens on. */
  readonly boundTo: string;
  /** Passes requests to this function. Call it at once: earlier requests get no response. */
  serve(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Refuses new connections, and closes idle ones. */
  stopListening(): void;
  /**
   * Stops listening, and gives open responses two seconds before their connections are closed. May be called again.
   *
   * @param endStreams ends responses that do not end by themselves
   */
  close(endStreams?: () => Promise<void>): Promise<void>;
}

/** How long open responses may take to end. */
const RESPONSES_MS = 2_000;
/**
 * How long a connection may be idle. Load balancers and clients use one for about a minute, and a request on a connection that
 * is being closed fails.
 */
const IDLE_MS = 65_000;

/** Listens. Rejects with Node's own error when it cannot (`EADDRINUSE`). */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, requestTimeoutMs } = options;
  const server = createServer({
    keepAliveTimeout: IDLE_MS,
    ...(requestTimeoutMs !== undefined && { requestTimeout: requestTimeoutMs }),
  });
  const { port } = await listen(server, options);
  let closed: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const stopListening = (): Promise<void> => {
    closed ??= new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    return closed;
  };
  return {
    port,
    url: urlOf(options, port),
    boundTo: `${inUrl(host)}:${port}`,
    serve(answer) {
      server.on('request', answer);
    },
    stopListening: () => void stopListening(),
    close(endStreams) {
      closing ??= (async () => {
        const allClosed = stopListening();
        const cut = setTimeout(() => server.closeAllConnections(), RESPONSES_MS);
        await endStreams?.();
        await allClosed;
        clearTimeout(cut);
      })();
      return closing;
    },
  };
}

function urlOf({ host, publicUrl }: HttpServerOptions, port: number): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${inUrl(reached)}:${port}`;
}

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function listen(server: Server, { host, port }: HttpServerOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
