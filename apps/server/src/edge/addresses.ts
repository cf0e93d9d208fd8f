import { BlockList, isIP, isIPv4 } from 'node:net';
import type { IncomingMessage } from 'node:http';

/** What a request says of its way here: only what a trusted proxy wrote is believed. */
export interface RequestOrigin {
  /** The client's own address, as far as trusted proxies tell. */
  readonly address: string;
  /** The Host the client wrote. */
  readonly host: string | undefined;
}

/** What proxies write, by its standard and by the habits of the usual ones. */
const PASSED_ON = /^(via|forwarded|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*|tailscale-.*)$/;

/** Which peers may speak for others. */
export interface TrustedProxies {
  originOf(request: IncomingMessage): RequestOrigin;
}

/**
 * Proxies whose `X-Forwarded-For` and `X-Forwarded-Host` count. The chain is read from its end, as long as the one who
 * wrote an entry is trusted: what a client puts in front of it is never reached.
 *
 * @param ranges addresses or CIDR ranges; none trusts nobody
 */
export function trustedProxies(ranges: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const range of ranges) addRange(list, range);
  const isTrusted = (address: string) => isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  return {
    originOf(request) {
      let address = plainAddress(request.socket.remoteAddress ?? '');
      const { host } = request.headers;
      if (!isTrusted(address)) return { address, host };
      const forwardedHost = lastOf(request.headers['x-forwarded-host']);
      for (const entry of listOf(request.headers['x-forwarded-for']).reverse()) {
        if (!isTrusted(address)) break;
        const next = plainAddress(entry);
        // What is no address says nothing: the last one that is known stays.
        if (isIP(next) === 0) break;
        address = next;
      }
      return { address, host: forwardedHost ?? host };
    },
  };
}

/**
 * Whether somebody says to have passed the request on, trusted or not. A proxy that nobody named, a tunnel or a forwarded
 * port, comes from this very machine; of one that says nothing of itself nobody can know.
 */
export function isPassedOn({ headers }: IncomingMessage): boolean {
  return Object.keys(headers).some((name) => PASSED_ON.test(name));
}

/** The part of an address one subscriber holds: all of IPv4, a /64 of IPv6. */
export function subscriberOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head.split(':').filter((part) => part !== '');
  const right = tail === undefined ? [] : tail.split(':').filter((part) => part !== '');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':');
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/');
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

/** IPv4 as it is, where a socket that takes both writes it as IPv6; without brackets, port or zone. */
function plainAddress(text: string): string {
  const bare = text.trim().replace(/^\[([^\]]*)\](:\d+)?$/, '$1');
  const unported = /^\d+\.\d+\.\d+\.\d+:\d+$/.test(bare) ? bare.slice(0, bare.lastIndexOf(':')) : bare;
  return unported.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

function listOf(header: string | string[] | undefined): string[] {
  return (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return listOf(header).at(-1);
}
