import { randomBytes } from 'node:crypto';
import { createHttpEndpoint, createServerFactory, type ServerIdentity } from '@croft/mcp';
import type { ToolTable } from '@croft/tools';
import { openHttpServer } from '../http-server.ts';
import { createLocalSessions } from '../local-session.ts';
import type { Overview } from '../pages/home.ts';
import { composeMcpOnly } from './compose-mcp-only.ts';

export interface McpServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly publicUrl?: string | undefined;
  readonly identity: ServerIdentity;
  readonly table: ToolTable;
  /** The bearer token of `/mcp`. Without it, `/mcp` needs no token. */
  readonly token: string | undefined;
  readonly overview: (url: string) => Overview;
  readonly onError?: (error: Error) => void;
}

/** A server that is listening. */
export interface RunningMcpServer {
  readonly url: string;
  /** Address and port that it listens on. */
  readonly boundTo: string;
  /** Opens the page once. */
  readonly oneTimeUrl: string;
  /** Stops listening, ends running calls, and closes connections that are open after two seconds. */
  close(): Promise<void>;
}

/** How long a browser may open the page. */
const PAGE_KEY_MS = 86_400_000;

/**
 * Serves tools over MCP and a page that says how to connect: the server without accounts, files and database.
 *
 * @throws Node's own error when it cannot listen (`EADDRINUSE`)
 */
export async function startMcpServer(options: McpServerOptions): Promise<RunningMcpServer> {
  const { host, publicUrl, identity, token, onError } = options;
  const http = await openHttpServer(options);
  // A secret of this start: a later server on this port does not accept keys of an earlier one.
  const secret = randomBytes(32).toString('base64url');
  const sessions = createLocalSessions([secret], { lastsMs: PAGE_KEY_MS });
  const endpoint = createHttpEndpoint(
    createServerFactory(identity, () => options.table),
    onError,
  );
  http.serve(
    composeMcpOnly({
      endpoint,
      host,
      publicUrl,
      sessions,
      token,
      version: identity.version,
      overview: () => options.overview(http.url),
      onError,
    }),
  );
  return {
    url: http.url,
    boundTo: http.boundTo,
    oneTimeUrl: `${http.url}/open?code=${sessions.makeCode()}`,
    close: () => http.close(() => endpoint.close()),
  };
}
