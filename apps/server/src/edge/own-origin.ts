import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { hostnamesFor } from './hostnames.ts';

/** The names under which a server is reached. */
export interface OwnNames {
  readonly host: string;
  readonly publicUrl: string | undefined;
  /** Further origins whose pages may talk to this server. */
  readonly allowedOrigins: readonly string[];
}

/** Decides whether a foreign web page may have caused a request. */
export interface OriginRule {
  /** Returns a sentence if the request is refused because its Host or Origin is not ours. */
  refuse(headers: IncomingHttpHeaders, host: string | undefined): string | undefined;
  /** Whether this is one of the further origins, which may read responses to requests with an API key. */
  isAllowed(origin: string): boolean;
  /** Whether a page of ours made a request that a cookie authenticates. A plain link counts only for reading. */
  isOwnPage(request: IncomingMessage): boolean;
}

/**
 * Refuses a Host that is not ours (DNS rebinding), and an Origin that is not ours. Our origins are that of the public
 * address, the allowed ones, and http on one of our names with the port of the Host header: another port is another
 * server, perhaps of another user. If the public address is https, http on its name is not ours.
 */
export function originRule({ host, publicUrl, allowedOrigins }: OwnNames): OriginRule {
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  // If the public address is https, an attacker in the network path can write any http page under its name.
  const secureName = publicOrigin?.startsWith('https:') ? hostnameOf(publicOrigin) : undefined;
  const allowed = new Set(allowedOrigins.map(originOf).filter((origin) => origin !== publicOrigin));
  const names = new Set([...hostnamesFor(host, publicUrl), ...everyAddress(host), ...allowedOrigins.map(hostnameOf)]);
  const isOurs = (origin: string, hostPort: string): boolean => {
    if (origin === publicOrigin || allowed.has(origin)) return true;
    const url = /^https?:\/\/[\w.:[\]-]+$/i.test(origin) ? parseUrl(origin) : undefined;
    if (url === undefined || url.hostname === secureName) return false;
    return url.protocol === 'http:' && names.has(url.hostname) && url.port === hostPort;
  };
  return {
    refuse(headers, asked) {
      // Only a name and a port: any other character could make a URL with another host.
      const url = asked !== undefined && /^[\w.:[\]-]+$/.test(asked) ? parseUrl(`http://${asked}`) : undefined;
      if (url === undefined || !names.has(url.hostname))
        return 'Host not allowed: name it in CROFT_PUBLIC_URL or CROFT_ALLOWED_ORIGINS';
      const { origin } = headers;
      if (origin !== undefined && !isOurs(origin, url.port)) return 'Origin not allowed';
      return undefined;
    },
    isAllowed: (origin) => allowed.has(origin),
    isOwnPage({ method, headers }) {
      // Allowed origins authenticate with an API key. Cookies that a browser adds do not count for them.
      if (headers.origin !== undefined && allowed.has(headers.origin)) return false;
      const site = headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
      if (method === 'GET' || method === 'HEAD') return true;
      // `refuse` has checked that an Origin is ours. Every current browser sends one of the two headers.
      return headers.origin !== undefined || site === 'same-origin';
    },
  };
}

/** This machine's addresses, if the server listens on all. They are safe as Host: DNS rebinding needs a name. */
function everyAddress(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [];
  return Object.values(networkInterfaces()).flatMap(
    (all) => all?.map(({ address }) => hostnameOf(`http://${address.includes(':') ? `[${address}]` : address}`)) ?? [],
  );
}

function originOf(text: string): string {
  return parseUrl(text)?.origin ?? text;
}

function hostnameOf(text: string): string {
  return parseUrl(text)?.hostname ?? text;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
