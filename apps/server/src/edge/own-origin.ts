import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { hostnamesFor } from '../local/local-only.ts';

/** What a server is called. */
export interface OwnNames {
  readonly host: string;
  readonly publicUrl: string | undefined;
  /** Further origins whose pages may talk to this server. */
  readonly allowedOrigins: readonly string[];
}

/** Says whether a request may have been caused by a foreign web page. */
export interface OriginRule {
  /** A sentence, where the request is refused: its Host or Origin is not ours. */
  refuse(headers: IncomingHttpHeaders, host: string | undefined): string | undefined;
  /** Whether this is one of the further origins, which may read answers to requests with an API key. */
  isAllowed(origin: string): boolean;
  /** Whether a request that a cookie vouches for was made by a page of ours; a plain link counts only for reading. */
  isOwnPage(request: IncomingMessage): boolean;
}

/**
 * The rule of the local server, for more names: a Host that is not ours is refused (DNS rebinding), an Origin that is
 * not ours too. An Origin is ours when it is that of the public address, an allowed one, or http on one of our names
 * with the port of the Host header: another port is another server, perhaps of another user. In the name of a public
 * address that is https, http is not ours.
 */
export function originRule({ host, publicUrl, allowedOrigins }: OwnNames): OriginRule {
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  // Where the public address is https, a page that came over http in its name was written by whoever is between.
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
      // A name and a port, nothing a URL could hide another name behind.
      const url = asked !== undefined && /^[\w.:[\]-]+$/.test(asked) ? parseUrl(`http://${asked}`) : undefined;
      if (url === undefined || !names.has(url.hostname))
        return 'Host not allowed: name it in CROFT_PUBLIC_URL or CROFT_ALLOWED_ORIGINS';
      const { origin } = headers;
      if (origin !== undefined && !isOurs(origin, url.port)) return 'Origin not allowed';
      return undefined;
    },
    isAllowed: (origin) => allowed.has(origin),
    isOwnPage({ method, headers }) {
      // Further origins come with a key: what a browser sends along by itself is not theirs.
      if (headers.origin !== undefined && allowed.has(headers.origin)) return false;
      const site = headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
      if (method === 'GET' || method === 'HEAD') return true;
      // That it is ours was checked before; none at all is what no browser of today sends.
      return headers.origin !== undefined || site === 'same-origin';
    },
  };
}

/** Where it listens everywhere it is reached by its addresses, which no name server answers for. */
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
