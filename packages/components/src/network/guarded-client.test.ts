import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type LocalServer, startServer } from '../testing.ts';
import { addressRules } from './addresses.ts';
import { type Client, openClient, pinnedAddresses, type Resolve, resolveAll } from './guarded-client.ts';
import { NetworkError } from './network-error.ts';
import { readProxies } from './proxies.ts';

const PUBLIC: LookupAddress = { address: '93.184.216.34', family: 4 };
const PRIVATE: LookupAddress = { address: '10.0.0.1', family: 4 };

let client: Client | undefined;
let server: LocalServer | undefined;
afterEach(async () => {
  await client?.agent.close();
  await server?.close();
  client = undefined;
});

describe('the addresses of a host', () => {
  const rules = addressRules([]);
  const pin = (host: string, ...found: readonly LookupAddress[]) => pinnedAddresses(host, 80, rules, async () => found);

  it('are all that it has, if all are allowed', async () => {
    const other = { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 };
    expect(await pin('a.example', PUBLIC, other)).toEqual([PUBLIC, other]);
    await expect(pin('a.example', PUBLIC, PRIVATE)).rejects.toMatchObject({
      name: 'NetworkError',
      code: 'refused_address',
    });
    await expect(pin('a.example', PRIVATE)).rejects.toThrow('a.example');
  });

  it('are the address itself, without a question to a name server', async () => {
    const never = async () => {
      throw new Error('asked');
    };
    expect(await pinnedAddresses('93.184.216.34', 80, rules, never)).toEqual([PUBLIC]);
    await expect(pinnedAddresses('127.0.0.1', 80, rules, never)).rejects.toMatchObject({ code: 'refused_address' });
    await expect(pinnedAddresses('::1', 80, rules, never)).rejects.toMatchObject({ code: 'refused_address' });
  });

  it('must exist', async () => {
    await expect(pin('a.example')).rejects.toMatchObject({
      code: 'unreachable',
      message: "'a.example' has no address.",
      fix: 'Check the network, and the spelling of the host.',
    });
  });
});

it('asks the resolver of the system', async () => {
  expect((await resolveAll('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
  await expect(resolveAll('no-such-host.invalid')).rejects.toMatchObject({
    code: 'unreachable',
    message: "The host 'no-such-host.invalid' was not found.",
    fix: 'Check the network, and the spelling of the host.',
  });
});

describe('a client', () => {
  it('connects to the checked address, whatever the name resolves to later', async () => {
    server = await startServer(({ headers }, response) => response.end(headers.host));
    let asked = 0;
    const resolve = async () => {
      asked++;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    client = await openClient({ rules: addressRules([`a.example:${server.port}`]), resolve, proxies: undefined });
    const response = await client.fetch(`http://a.example:${server.port}/`, { dispatcher: client.agent });
    expect([await response.text(), asked]).toEqual([`a.example:${server.port}`, 1]);
  });

  it('does not connect to an address that is not allowed', async () => {
    server = await startServer((_, response) => response.end('internal'));
    client = await openClient({
      rules: addressRules([]),
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      proxies: undefined,
    });
    await expect(client.fetch(`http://a.example:${server.port}/`, { dispatcher: client.agent })).rejects.toMatchObject({
      cause: { code: 'refused_address' },
    });
    expect(server.connections()).toBe(0);
  });
});

describe('a client with a proxy', () => {
  const V6: LookupAddress = { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 };
  const OTHERS = ['93.184.216.35', '93.184.216.36'].map((address) => ({ address, family: 4 }));
  const gone = new NetworkError('unreachable', 'Not found.', 'Check it.');
  const fails = (error: Error) => async () => {
    throw error;
  };
  const gives =
    (...found: readonly LookupAddress[]): Resolve =>
    async () =>
      found;

  /** The targets that a proxy is asked for; it refuses all of them. */
  async function targetsOf(
    asksFor: 'addresses' | 'names',
    resolve: Resolve,
    url = 'http://a.example/',
    allow: string[] = [],
  ) {
    const targets: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url: target = '' }, socket) => {
      targets.push(target);
      socket.end('HTTP/1.1 502 No\r\n\r\n');
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const proxies = readProxies({ httpProxy: address, httpsProxy: address, asksFor });
    client = await openClient({ rules: addressRules(allow), resolve, proxies });
    const error = await client.fetch(url, { dispatcher: client.agent }).then(
      () => undefined,
      ({ cause }: { cause: { code: string } }) => cause.code,
    );
    await new Promise((done) => proxy.close(done));
    return { targets, error };
  }

  it.each<[string, Parameters<typeof targetsOf>, string[], string]>([
    ['an address', ['addresses', gives(PUBLIC)], ['93.184.216.34:80'], 'unreachable'],
    [
      'three addresses, IPv4 first',
      ['addresses', gives(V6, PUBLIC, ...OTHERS)],
      ['93.184.216.34:80', '93.184.216.35:80', '93.184.216.36:80'],
      'unreachable',
    ],
    ['IPv6 in brackets', ['addresses', gives(V6, PUBLIC)], ['93.184.216.34:80', `[${V6.address}]:80`], 'unreachable'],
    ['the port of https', ['addresses', gives(PUBLIC), 'https://a.example/'], ['93.184.216.34:443'], 'unreachable'],
    ['a port', ['names', gives(PUBLIC), 'http://a.example:81/'], ['a.example:81'], 'unreachable'],
    ['a name that is not known here', ['names', fails(gone)], ['a.example:80'], 'unreachable'],
    ['nothing for an unknown name', ['addresses', fails(gone)], [], 'unreachable'],
    ['nothing for a name that is refused here', ['names', gives(PRIVATE)], [], 'refused_address'],
    ['nothing for an address that is refused', ['addresses', gives(PRIVATE)], [], 'refused_address'],
    [
      'nothing where the resolver fails otherwise',
      ['names', fails(Object.assign(new Error('x'), { code: 'broken' }))],
      [],
      'broken',
    ],
  ])('asks it for %s', async (_, given, targets, error) => {
    expect(await targetsOf(...given)).toEqual({ targets, error });
  });

  it('connects itself to an address that is allowed and not public', async () => {
    server = await startServer((_, response) => response.end('internal'));
    const url = `http://a.example:${server.port}/`;
    const allow = [`a.example:${server.port}`];
    expect(await targetsOf('names', gives({ address: '127.0.0.1', family: 4 }), url, allow)).toEqual({
      targets: [],
      error: undefined,
    });
  });
});
