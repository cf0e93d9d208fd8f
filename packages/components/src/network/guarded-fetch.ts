import { isIP } from 'node:net';
import type { RequestInit as UndiciRequest, Response as UndiciResponse } from 'undici';
import { addressRules, type AddressRules, hostKey, type OwnNetworks } from './addresses.ts';
import { type Client, openClient, type Resolve, resolveAll } from './guarded-client.ts';
import { NetworkError, refusedAddress } from './network-error.ts';
import { type ProxyOptions, readProxies } from './proxies.ts';

export interface GuardedFetchOptions {
  /** Private hosts that the administrator allows; see {@link addressRules}. */
  readonly allow?: readonly string[];
  /** The resolver; the system's unless given. Tests replace it. */
  readonly resolve?: Resolve;
  /** The networks of this machine; read from its interfaces at each connection unless given. Tests replace it. */
  readonly ownNetworks?: OwnNetworks;
  /**
   * Proxies for public addresses. A private address that the administrator allows is reached directly: behind a proxy it
   * would be another machine.
   */
  readonly proxy?: ProxyOptions | undefined;
  /** Redirects that a request with `redirect: 'follow'` may take; 20 unless given. */
  readonly maxRedirects?: number;
}

/** Headers that a redirect to another origin keeps. All others may carry credentials. */
const PLAIN_HEADERS = new Set(['accept', 'accept-language', 'user-agent', 'content-type']);

/**
 * A `fetch` that connects to public addresses only, and not to this machine's own networks.
 *
 * A name is resolved once, every address is checked, and the connection goes to an address that was checked. Literal
 * addresses are checked in every spelling. Each redirect is checked like a first request; headers other than `Accept`,
 * `Accept-Language`, `User-Agent` and `Content-Type` are not sent to another origin. Does not limit the body or the time: pass a signal, and read the body with `readBounded`.
 *
 * @throws RangeError where an entry of `allow` is not a host, or a proxy has another form than `http://host:port`. The returned function rejects with NetworkError, or with the
 *   reason of the request's signal.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): typeof globalThis.fetch {
  const rules = addressRules(options.allow, options.ownNetworks);
  const resolve = options.resolve ?? resolveAll;
  const maxRedirects = options.maxRedirects ?? 20;
  const proxies = options.proxy && readProxies(options.proxy);
  let loading: Promise<Client> | undefined;
  return async (input, init = {}) => {
    checkedUrl(input instanceof Request ? input.url : String(input), rules);
    const first = requestOf(input, { ...init, redirect: 'manual' });
    const follow = init.redirect ?? (input instanceof Request ? input.redirect : 'follow');
    const client = await (loading ??= openClient({ rules, resolve, proxies }));
    // In memory, because a redirect with status 307 or 308 sends it again.
    const body = first.body === null ? undefined : new Uint8Array(await first.arrayBuffer());
    // Not the signal of `first`: it no longer follows the caller's after `first` is collected.
    const signal = init.signal ?? (input instanceof Request ? input.signal : null);
    return send(client, rules, { first, body, signal, follow, maxRedirects });
  };
}

/** Node names the header that it refuses, whose value may be a credential. */
function requestOf(input: string | URL | Request, init: RequestInit): Request {
  try {
    return new Request(input, init);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new NetworkError(
      'invalid_request',
      'The method, a header or the body of the request is not valid.',
      'Send no body with GET and HEAD. The name of a header has no spaces, and its value has one line.',
    );
  }
}

interface Sending {
  readonly first: Request;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal | null;
  readonly follow: NonNullable<RequestInit['redirect']>;
  readonly maxRedirects: number;
}

async function send(
  client: Client,
  rules: AddressRules,
  { first, body, signal, follow, maxRedirects }: Sending,
): Promise<Response> {
  let url = checkedUrl(first.url, rules);
  let method = first.method;
  let sent = body;
  let headers = new Headers(first.headers);
  for (let count = 0; ; count++) {
    const response = await attempt(client, url, {
      method,
      headers: [...headers],
      redirect: 'manual',
      signal,
      ...(sent !== undefined && { body: sent }),
    });
    const target = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || target === null || follow === 'manual')
      return response as unknown as Response;
    await response.body?.cancel();
    if (follow === 'error')
      throw new NetworkError('redirects', `'${url.host}' answered with a redirect.`, 'Use the final address.');
    if (count >= maxRedirects)
      throw new NetworkError(
        'redirects',
        `'${url.host}' redirected more than ${maxRedirects} times.`,
        'Check the address.',
      );
    const next = nextUrl(target, url, rules);
    const isSame = next.origin === url.origin;
    if (response.status === 303 || (method === 'POST' && response.status < 303)) {
      method = method === 'HEAD' ? 'HEAD' : 'GET';
      sent = undefined;
      headers.delete('content-type');
    }
    if (!isSame && sent !== undefined)
      throw new NetworkError(
        'redirects',
        `'${url.host}' redirects a request with a body to '${next.host}'.`,
        'Send the request to the final address.',
      );
    if (!isSame) headers = new Headers([...headers].filter(([name]) => PLAIN_HEADERS.has(name)));
    url = next;
  }
}

async function attempt(client: Client, url: URL, init: UndiciRequest): Promise<UndiciResponse> {
  try {
    return await client.fetch(url.href, { ...init, dispatcher: client.agent });
  } catch (error) {
    if (init.signal?.aborted === true) throw init.signal.reason;
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof NetworkError) throw cause;
    const code = (cause as NodeJS.ErrnoException | undefined)?.code;
    throw new NetworkError(
      'unreachable',
      `'${url.host}' could not be reached${code === undefined ? '' : ` (${code})`}.`,
      'Check the address and that the server is running.',
    );
  }
}

function nextUrl(target: string, from: URL, rules: AddressRules): URL {
  if (!URL.canParse(target, from.href))
    throw new NetworkError('redirects', `'${from.host}' redirects to an invalid address.`, 'Use another address.');
  return checkedUrl(new URL(target, from).href, rules);
}

/** Refuses other schemes, credentials in the address, and names and literal addresses of this machine. */
function checkedUrl(address: string, rules: AddressRules): URL {
  if (!URL.canParse(address))
    throw new NetworkError('bad_address', 'The address is not valid.', 'Write it as https://example.com/path.');
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NetworkError('bad_address', `'${url.protocol}' addresses are not supported.`, 'Use http: or https:.');
  if (url.username !== '' || url.password !== '')
    throw new NetworkError(
      'bad_address',
      'The address has a user name or password before the host.',
      'Remove the part before the @, and send credentials in a header.',
    );
  const host = hostKey(url.hostname);
  const isLocalName = host === 'localhost' || host.endsWith('.localhost');
  if (
    isLocalName
      ? !rules.allows(host, portOf(url), '127.0.0.1')
      : isIP(host) !== 0 && !rules.allows(host, portOf(url), host)
  )
    throw refusedAddress(url.hostname);
  return url;
}

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));
