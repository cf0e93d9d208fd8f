import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** IPv4 ranges that are not public: IANA's special-purpose registry, multicast, and the metadata host of Azure. */
const PRIVATE_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Ranges inside 2000::/3 that embed an IPv4 address (Teredo, 6to4) or are not routed. */
const PRIVATE_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const privateV4 = blockListOf(PRIVATE_V4, 'ipv4');
const privateV6 = blockListOf(PRIVATE_V6, 'ipv6');
// Everything outside is loopback, link-local, unique local, multicast, IPv4-mapped, NAT64 or reserved.
const globalV6 = blockListOf([['2000::', 3]], 'ipv6');

function blockListOf(ranges: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, family);
  return list;
}

/** Whether an IP address is reachable on the public Internet. An IPv6 address that embeds an IPv4 address is not public. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return isIP(address) === 4 && !privateV4.check(address, 'ipv4');
  const plain = address.replace(/%.*$/, '');
  return globalV6.check(plain, 'ipv6') && !privateV6.check(plain, 'ipv6');
}

/** An exception of the administrator: a host name or a range of addresses, on one port or on all. */
interface Exception {
  readonly host?: string;
  readonly range?: BlockList;
  readonly port?: number;
}

/** Gives the networks of this machine's interfaces as `ADDRESS/PREFIX`. */
export type OwnNetworks = () => readonly string[];

/** The networks of the interfaces as they are now: a machine may join a network at any time. */
export const ownNetworks: OwnNetworks = () =>
  Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address, cidr }) => cidr ?? address));

/** Whether an address is in one of the networks. A prefix of 0 is the default route of a tunnel: only its address counts. */
function isInside(networks: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const each of networks) {
    const [own = '', prefix = ''] = each.replace(/%[^/]*/, '').split('/');
    const family = isIPv6(own) ? 'ipv6' : 'ipv4';
    if (isIP(own) !== 0) list.addSubnet(own, Number(prefix) || (family === 'ipv6' ? 128 : 32), family);
  }
  return list.check(address.replace(/%.*$/, ''), isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Decides which addresses a request may connect to. */
export interface AddressRules {
  /** Whether an address is public and outside this machine's own networks. */
  isPublic(address: string): boolean;
  /** Whether a connection to this address is allowed; `host` is the name from which it was resolved. */
  allows(host: string, port: number, address: string): boolean;
}

/**
 * Rules that allow public addresses outside this machine's own networks, and the others that the administrator lists: `host`,
 * `host:port`, `10.0.0.5`, `10.0.0.0/8`, `[::1]:8080`. With IPv6, the addresses of this machine and of its neighbours are
 * often global.
 *
 * @throws RangeError where an entry has another form
 */
export function addressRules(allowed: readonly string[] = [], own: OwnNetworks = ownNetworks): AddressRules {
  const exceptions = allowed.map(parseException);
  const isPublic = (address: string) => isPublicAddress(address) && !isInside(own(), address);
  return {
    isPublic,
    allows: (host, port, address) =>
      isPublic(address) ||
      exceptions.some(
        (each) =>
          (each.port === undefined || each.port === port) &&
          (each.host === hostKey(host) || each.range?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') === true),
      ),
  };
}

function parseException(text: string): Exception {
  const match =
    /^(?:\[([^\]]+)\]|([^:[\]/\s]+)|([^[\]/\s]*:[^[\]/\s]*:[^[\]/\s]*))(?:\/(\d{1,3}))?(?::(\d{1,5}))?$/.exec(
      text.trim(),
    );
  const host = match?.[1] ?? match?.[2] ?? match?.[3];
  const family = host === undefined ? 0 : isIP(host);
  const prefix = match?.[4] === undefined ? undefined : Number(match[4]);
  if (host === undefined || (prefix !== undefined && (family === 0 || prefix > (family === 4 ? 32 : 128))))
    throw new RangeError(`'${text}' is not a host. Write it as host, host:port, 10.0.0.5 or 10.0.0.0/8.`);
  const port = match?.[5] === undefined ? {} : { port: Number(match[5]) };
  if (family === 0) return { host: hostKey(host), ...port };
  const range = blockListOf([[host, prefix ?? (family === 4 ? 32 : 128)]], family === 4 ? 'ipv4' : 'ipv6');
  return { range, ...port };
}

/** A host name in lower case without the dot of the root. */
export const hostKey = (host: string): string =>
  host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '');
