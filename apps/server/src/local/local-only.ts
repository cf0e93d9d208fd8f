import type { MiddlewareHandler } from 'hono';

/**
 * Refuses requests that a web page could have caused: a Host that is not ours (DNS rebinding), an Origin that is not
 * ours. Requests without an Origin come from programs, not pages, and pass.
 *
 * An Origin is ours when it is http, one of our names, and the port of the Host header: another port is another server,
 * perhaps of another user. Besides, the one of the public address.
 *
 * @param hostnames accepted hostnames, without ports, IPv6 in brackets
 */
export function ownHostOnly(hostnames: readonly string[], publicUrl?: string): MiddlewareHandler {
  const publicOrigin = publicUrl === undefined ? undefined : parseUrl(publicUrl)?.origin;
  const known = new Set(hostnames.map((name) => name.toLowerCase()));
  const isOurs = (text: string, port: string): boolean => {
    const origin = /^https?:\/\/[\w.:[\]-]+$/i.test(text) ? parseUrl(text) : undefined;
    if (origin === undefined) return false;
    return (
      origin.origin === publicOrigin ||
      (origin.protocol === 'http:' && known.has(origin.hostname) && origin.port === port)
    );
  };
  return async (context, next) => {
    const header = context.req.header('host') ?? '';
    // A name and a port, nothing a URL could hide another name behind.
    const host = /^[\w.:[\]-]+$/.test(header) ? parseUrl(`http://${header}`) : undefined;
    if (host === undefined || !known.has(host.hostname)) return context.json(rpcError('Host not allowed'), 403);
    const origin = context.req.header('origin');
    if (origin !== undefined && !isOurs(origin, host.port)) return context.json(rpcError('Origin not allowed'), 403);
    await next();
    return undefined;
  };
}

/** Names under which a server bound to `host` is reached. */
export function hostnamesFor(host: string, publicUrl?: string): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  const bare = host.replace(/^\[|\]$/g, '');
  // As URLs write it: one address has many spellings.
  if (bare !== '0.0.0.0' && bare !== '::')
    names.push(hostnameOf(`http://${bare.includes(':') ? `[${bare}]` : bare}`) ?? bare);
  const outside = publicUrl === undefined ? undefined : hostnameOf(publicUrl);
  if (outside !== undefined) names.push(outside);
  return [...new Set(names)];
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function hostnameOf(url: string): string | undefined {
  return parseUrl(url)?.hostname || undefined;
}

function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/** A refusal in the form MCP clients read. */
export function rpcError(message: string): { jsonrpc: '2.0'; error: { code: number; message: string }; id: null } {
  return { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
}
