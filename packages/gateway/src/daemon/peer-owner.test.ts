import { endianness } from 'node:os';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { ownerOf, peerOwner } from './peer-owner.ts';

const HEADER = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const line = (from: string, to: string, state: string, uid: number) =>
  `   1: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000 ${uid}        0 7 1 0`;
const LOCAL = endianness() === 'LE' ? '0100007F' : '7F000001';
const MAPPED = endianness() === 'LE' ? `0000000000000000FFFF0000${LOCAL}` : `00000000000000000000FFFF${LOCAL}`;
const peer = { address: '127.0.0.1', port: 0x9100 };
const own = { address: '127.0.0.1', port: 0x1de7 };
const find = (...lines: string[]) => ownerOf([HEADER, ...lines].join('\n'), peer, own);

it('finds the owner of the other end, and not of the own end', () => {
  const mine = line(`${LOCAL}:1DE7`, `${LOCAL}:9100`, '01', 1);
  expect(find(mine, line(`${LOCAL}:9100`, `${LOCAL}:1DE7`, '01', 1_000))).toBe(1_000);
  expect(find(mine, line(`${MAPPED}:9100`, `${MAPPED}:1DE7`, '01', 1_001))).toBe(1_001);
  expect(find(mine)).toBeUndefined();
});

it.each(['04', '05', '06', '08'])('finds no owner of a socket that is closing, in state %s', (state) => {
  expect(find(line(`${LOCAL}:9100`, `${LOCAL}:1DE7`, state, 0))).toBeUndefined();
});

it('finds no owner of an address that is not IPv4', () => {
  const one = line(`${LOCAL}:9100`, `${LOCAL}:1DE7`, '01', 0);
  expect(ownerOf(one, { ...peer, address: '::1' }, own)).toBeUndefined();
  expect(ownerOf(one, peer, { ...own, address: '' })).toBeUndefined();
});

it.runIf(process.platform === 'linux')('accepts a program of the same user until it closes its socket', async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  expect(peerOwner(socket)).toBe('own');
  client.destroy();
  await once(client, 'close');
  expect(peerOwner(socket)).toBe('gone');
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
