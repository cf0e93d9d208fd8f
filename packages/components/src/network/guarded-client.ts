import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type Socket } from 'node:net';
import type { Agent, buildConnector, RequestInit as UndiciRequest, Response as UndiciResponse } from 'undici';
import { type AddressRules, hostKey } from './addresses.ts';
import { NetworkError, refusedAddress } from './network-error.ts';
import { openTunnel } from './open-tunnel.ts';
import type { Proxies } from './proxies.ts';

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export interface Client {
  readonly fetch: (url: string, init: UndiciRequest) => Promise<UndiciResponse>;
  readonly agent: Agent;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Addresses of a host that a proxy is asked for. */
const MAX_TUNNEL_TRIES = 3;

/** How connections are made. */
interface Connecting {
  readonly rules: AddressRules;
  readonly resolve: Resolve;
  readonly proxies: Proxies | undefined;
}

/** A client whose every connection follows the rules. */
export async function openClient(connecting: Connecting): Promise<Client> {
  const undici = await import('undici');
  const connector: buildConnector.connector = (options, callback) => {
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
    const host = hostKey(options.hostname);
    routeTo(connecting, options.protocol, host, port).then(
      (route) => connectAlong(route, options, callback),
      (error: unknown) => callback(error as Error, null),
    );
  };
  const connectAlong = (route: Route, options: buildConnector.Options, callback: buildConnector.Callback) => {
    const { addresses, tunnel } = route;
    // undici takes a socket only to start TLS on it.
    if (tunnel !== undefined && options.protocol !== 'https:') return callback(null, tunnel);
    const connect = undici.buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      allowH2: false,
      // A list is asked for where several addresses are tried in turn.
      lookup: (_host, { all }, done) => {
        const [first] = addresses as readonly [LookupAddress];
        if (all === true) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
    });
    connect(tunnel === undefined ? options : { ...options, httpSocket: tunnel }, callback);
  };
  // Idle connections must not keep a command from ending: undici unreferences them.
  return { fetch: undici.fetch, agent: new undici.Agent({ connect: connector, keepAliveTimeout: 4_000 }) };
}

/** Checked addresses for a direct connection, or an open connection through a proxy. */
interface Route {
  readonly addresses: readonly LookupAddress[];
  readonly tunnel?: Socket;
}

async function routeTo(
  { rules, resolve, proxies }: Connecting,
  protocol: string,
  host: string,
  port: number,
): Promise<Route> {
  const proxy = proxies?.proxyFor(protocol, host, port);
  if (proxy === undefined) return { addresses: await pinnedAddresses(host, port, rules, resolve) };
  const asksForNames = proxies?.asksFor === 'names';
  const addresses = await pinnedAddresses(host, port, rules, resolve).catch((error: unknown) => {
    // The proxy may know a name that is unknown here. A name that is refused here is refused.
    if (asksForNames && error instanceof NetworkError && error.code === 'unreachable') return [];
    throw error;
  });
  if (!addresses.every(({ address }) => rules.isPublic(address))) return { addresses };
  if (asksForNames) return { addresses, tunnel: await openTunnel(proxy, targetOf(host, port), CONNECT_TIMEOUT_MS) };
  return { addresses, tunnel: await tunnelToOneOf(addresses, proxy, port) };
}

/** Tries the addresses in turn, IPv4 first: many proxies have no IPv6. */
async function tunnelToOneOf(addresses: readonly LookupAddress[], proxy: URL, port: number): Promise<Socket> {
  let failure: unknown;
  for (const { address } of [...addresses].sort((a, b) => a.family - b.family).slice(0, MAX_TUNNEL_TRIES))
    try {
      return await openTunnel(proxy, targetOf(address, port), CONNECT_TIMEOUT_MS);
    } catch (error) {
      failure ??= error;
    }
  throw failure;
}

const targetOf = (host: string, port: number): string => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/** The addresses of a host, all of them allowed. One that is not refuses the host: a client may try any of them. */
export async function pinnedAddresses(
  host: string,
  port: number,
  rules: AddressRules,
  resolve: Resolve,
): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (addresses.length === 0)
    throw new NetworkError(
      'unreachable',
      `'${host}' has no address.`,
      'Check the network, and the spelling of the host.',
    );
  if (addresses.some(({ address }) => !rules.allows(host, port, address))) throw refusedAddress(host);
  return addresses;
}

/** The resolver of the system. */
export const resolveAll: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, addresses) => {
      if (error)
        reject(
          new NetworkError(
            'unreachable',
            `The host '${host}' was not found.`,
            'Check the network, and the spelling of the host.',
          ),
        );
      else resolve(addresses);
    });
  });
