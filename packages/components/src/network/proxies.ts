import { isIP } from 'node:net';
import { hostKey } from './addresses.ts';

/** The proxies of a machine, as its environment names them. */
export interface ProxyOptions {
  /** For `http:` addresses: `HTTP_PROXY`. */
  readonly httpProxy?: string | undefined;
  /** For `https:` addresses: `HTTPS_PROXY`. */
  readonly httpsProxy?: string | undefined;
  /** `NO_PROXY`: hosts, domains or `*`, separated by commas, each with a port or without. */
  readonly noProxy?: string | undefined;
  /**
   * The target that a proxy is asked for. `addresses`: an address that was resolved and checked here. `names`: the host name;
   * then only the proxy can refuse private addresses, but it may know names that this machine does not.
   */
  readonly asksFor: 'addresses' | 'names';
}

/** Decides which requests go through a proxy. */
export interface Proxies {
  readonly asksFor: ProxyOptions['asksFor'];
  /** Undefined for a direct connection. */
  proxyFor(protocol: string, host: string, port: number): URL | undefined;
}

/** Parses the address of a proxy; one without a scheme is an HTTP proxy. Undefined where it has another form. */
export function parseProxy(text: string): URL | undefined {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) && /^\/?$/.test(url.pathname) && url.search === '' ? url : undefined;
}

/** @throws RangeError where an address has another form. The message does not quote it, because it may have a password */
export function readProxies({ httpProxy, httpsProxy, noProxy = '', asksFor }: ProxyOptions): Proxies {
  const proxies = { 'http:': requireProxy(httpProxy), 'https:': requireProxy(httpsProxy) };
  const direct = noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(parseEntry);
  return {
    asksFor,
    proxyFor(protocol, host, port) {
      const proxy = protocol === 'https:' ? proxies['https:'] : proxies['http:'];
      return proxy === undefined || direct.some((matches) => matches(hostKey(host), port)) ? undefined : proxy;
    },
  };
}

function requireProxy(text: string | undefined): URL | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const proxy = parseProxy(text.trim());
  if (proxy === undefined) throw new RangeError('A proxy has the form http://host:port. Other kinds cannot be used.');
  return proxy;
}

/** `example.com` and `.example.com` are the host and all hosts below it. */
function parseEntry(entry: string): (host: string, port: number) => boolean {
  if (entry === '*') return () => true;
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  const name = hostKey(bracketed ?? plain ?? entry).replace(/^\*?\./, '');
  const isAddress = isIP(name) !== 0;
  return (host, port) =>
    (digits === undefined || Number(digits) === port) && (host === name || (!isAddress && host.endsWith(`.${name}`)));
}
