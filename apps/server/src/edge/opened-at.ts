import type { IncomingMessage } from 'node:http';
import type { TrustedProxies } from './addresses.ts';

/**
 * The address at which the page that sends this request was opened, without a slash at the end. Call it only after the
 * Host and Origin rule let the request through: both headers are then known names of this server.
 *
 * A browser sends the page's Origin with every POST. Without one (a program with a key) the address is the public one,
 * or the Host of the request.
 */
export function openedAt(
  request: IncomingMessage,
  server: {
    readonly url: string;
    readonly isPublic: boolean;
    readonly basePath: string;
    readonly proxies: TrustedProxies;
  },
): string {
  const { origin } = request.headers;
  if (origin !== undefined) return `${origin}${server.basePath.replace(/\/+$/, '')}`;
  if (server.isPublic) return server.url;
  const { host } = server.proxies.originOf(request);
  return host === undefined ? server.url : `http://${host}`;
}
