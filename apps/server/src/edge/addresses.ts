import { BlockList, isIP, isIPv4 } from 'node:net';
import type { IncomingMessage } from 'node:http';

/** The client's address and Host. Headers of proxies count only if a trusted proxy wrote them. */
export interface RequestOrigin {
  /** The client's own address, as far as trusted proxies report it. */
  readonly address: string;
  /** The Host the client wrote. */
  readonly host: string | undefined;
}

/** Headers that proxies add: the standard ones (RFC 9110, RFC 7239) and those of common products. */
const PASSED_ON = /^(via|forwarded|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*|tailscale-.*)$/;

/** Finds the client behind trusted proxies. */
export interface TrustedProxies {
  originOf(request: IncomingMessage): RequestOrigin;
}

/**
 * Accepts `X-Forwarded-For` and `X-Forwarded-Host` from these proxies. Reads the chain from its end and stops at an
 * entry that an untrusted peer wrote, so entries that a client puts in front never count.
 *
 * @param ranges addresses or CIDR ranges; with none, no peer is trusted
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
        // The entry is not an address: keep the last known one.
        if (isIP(next) === 0) break;
        address = next;
      }
      return { address, host: forwardedHost ?? host };
    },
  };
}

/**
 * Whether the headers say that a proxy forwarded the request, trusted or not. A proxy that is not configured, a tunnel
 * or a forwarded port connects from this machine, so the peer address does not reveal it. A proxy that adds no header
 * cannot be detected.
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

/** Removes brackets, port and zone, and the prefix of an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`). */
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
