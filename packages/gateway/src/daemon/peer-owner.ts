import { readFileSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { endianness } from 'node:os';

/**
 * Linux: the TCP sockets of this network namespace. An IPv6 socket that is connected to 127.0.0.1 is in the second one. The kernel
 * needs milliseconds for each table, because it visits all entries of a hash table.
 */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const ESTABLISHED = '01';
const MAPPED = Buffer.from('00000000000000000000ffff', 'hex');

/** One side of a connection: an IPv4 address and a port. */
interface Side {
  readonly address: string;
  readonly port: number;
}

/** The user of the program at the other end of a loopback connection. */
export type PeerOwner =
  /** This user or root, or unknown because the system has no tables. */
  | 'own'
  | 'other'
  /** The program closed its socket early. The kernel then lists the socket as root's, or not at all. */
  | 'gone';

/**
 * Finds the user of the program at the other end of a loopback connection. Every user of the machine can reach a
 * loopback port, and a program can send any `Origin`.
 */
export function peerOwner({ localAddress, localPort, remoteAddress, remotePort }: Socket): PeerOwner {
  const uid = process.geteuid?.();
  if (uid === undefined) return 'own';
  const peer = { address: remoteAddress ?? '', port: remotePort ?? 0 };
  const own = { address: localAddress ?? '', port: localPort ?? 0 };
  let hasTable = false;
  for (const path of TABLES) {
    const table = readTable(path);
    if (table === undefined) continue;
    hasTable = true;
    const owner = ownerOf(table, peer, own);
    if (owner !== undefined) return owner === uid || owner === 0 ? 'own' : 'other';
  }
  return hasTable ? 'gone' : 'own';
}

/** The user id of the connected socket from `peer` to `own`, from the text of the kernel's tables. */
export function ownerOf(tables: string, peer: Side, own: Side): number | undefined {
  if (isIP(peer.address) !== 4 || isIP(own.address) !== 4) return undefined;
  for (const isMapped of [false, true]) {
    const wanted = ` ${sideText(peer, isMapped)} ${sideText(own, isMapped)} ${ESTABLISHED} `;
    const line = tables.split('\n').find((one) => one.includes(wanted));
    if (line !== undefined) return Number(line.trim().split(/\s+/)[7]);
  }
  return undefined;
}

/** The tables print an address as numbers of 32 bits, in the byte order of the machine. */
function sideText({ address, port }: Side, isMapped: boolean): string {
  const bytes = Buffer.from(address.split('.').map(Number));
  const all = isMapped ? Buffer.concat([MAPPED, bytes]) : bytes;
  if (endianness() === 'LE') all.swap32();
  return `${all.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

function readTable(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
