import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createHttpEndpoint, createServerFactory, type ServerIdentity } from '@croft/mcp';
import type { ToolTable } from '@croft/tools';
import { getRequestListener } from '@hono/node-server';
import { createServer } from 'node:http';
import { createApp } from './app.ts';
import { hostnamesFor } from './local-only.ts';
import type { Overview } from './pages/home.ts';
import { createOneTimeCode } from './token-file.ts';

/** What a server serves, and where. */
export interface StartOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly publicUrl?: string | undefined;
  readonly identity: ServerIdentity;
  readonly table: ToolTable;
  /** The bearer of `/mcp`; `undefined` for none. */
  readonly token: string | undefined;
  readonly overview: (url: string) => Overview;
  readonly onError?: (error: Error) => void;
}

/** A server that is listening. */
export interface RunningServer {
  readonly url: string;
  /** Address and port it really listens on. */
  readonly boundTo: string;
  /** Opens the page once. */
  readonly oneTimeUrl: string;
  /** Stops listening, lets running answers end for up to two seconds, then cuts them. */
  close(): Promise<void>;
}

/**
 * Starts the server and resolves once it listens. Rejects with Node's own error when it cannot (`EADDRINUSE`).
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const endpoint = createHttpEndpoint(
    createServerFactory(options.identity, () => options.table),
    options.onError,
  );
  const oneTimeCode = createOneTimeCode();
  let url = '';
  let port = options.port;
  const app = createApp({
    endpoint,
    token: options.token,
    // Of this start alone: whoever has this port next is told a key that opens nothing.
    pageSecret: randomBytes(32).toString('base64url'),
    oneTimeCode,
    hostnames: hostnamesFor(options.host, options.publicUrl),
    publicUrl: options.publicUrl,
    version: options.identity.version,
    overview: () => options.overview(url),
  });
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response));
  await listen(server, options);
  const address = server.address();
  if (typeof address === 'object' && address !== null) port = address.port;
  const host = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host;
  url = options.publicUrl?.replace(/\/+$/, '') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    url,
    boundTo: `${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    oneTimeUrl: `${url}/open?code=${oneTimeCode.code}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), 2_000);
      await endpoint.close();
      await closed;
      clearTimeout(cut);
    },
  };
}

function listen(server: Server, { host, port }: StartOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
