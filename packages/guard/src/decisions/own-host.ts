import type { IncomingHttpHeaders } from 'node:http';

/** Names of this machine, as written in URLs. */
export const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Why a foreign web page could have caused a request: its Host is not ours (DNS rebinding), or its Origin is not ours
 * (another port is another server, possibly of another user). Undefined if neither holds. Requests without an Origin
 * come from programs or from our own page.
 *
 * @param hostnames accepted names without ports, IPv6 in brackets
 */
export function foreignRequest(headers: IncomingHttpHeaders, hostnames: readonly string[]): string | undefined {
  // Fast path for programs: exactly one of our names and a port, which a URL parser reads the same way.
  if (headers.origin === undefined && isPlainly(headers.host, hostnames)) return undefined;
  // Only a name and a port: no characters with which a URL could hide another name.
  const host = parsed(/^[\w.:[\]-]+$/, headers.host, 'http://');
  if (host === undefined || !hostnames.includes(host.hostname)) return 'Host not allowed';
  if (headers.origin === undefined) return undefined;
  const origin = parsed(/^http:\/\/[\w.:[\]-]+$/i, headers.origin, '');
  const isOurs = origin !== undefined && hostnames.includes(origin.hostname) && origin.port === host.port;
  return isOurs ? undefined : 'Origin not allowed';
}

/**
 * Whether a browser sent the request, for a page or from the address bar. Programs do not send these headers. A browser
 * must never show an upstream's response under the guard's own address: a script in it could read the key of the
 * decisions page.
 */
export function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode'];
  const dest = headers['sec-fetch-dest'];
  return mode === 'navigate' || (dest !== undefined && dest !== 'empty');
}

function isPlainly(host: string | undefined, hostnames: readonly string[]): boolean {
  if (host === undefined) return false;
  const [, port] = /^(?:\d+\.\d+\.\d+\.\d+|[a-z]+):(\d{1,5})$/.exec(host) ?? [];
  return port !== undefined && Number(port) < 65_536 && hostnames.includes(host.slice(0, -port.length - 1));
}

function parsed(form: RegExp, text: string | undefined, prefix: string): URL | undefined {
  if (text === undefined || !form.test(text)) return undefined;
  try {
    return new URL(prefix + text);
  } catch {
    return undefined;
  }
}
