import type { LookupAddress } from 'node:dns';
import { afterEach, describe, expect, it } from 'vitest';
import { type LocalServer, startServer } from '../testing.ts';
import { addressRules } from './addresses.ts';
import { type Client, openClient, pinnedAddresses, resolveAll } from './guarded-client.ts';

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
    });
  });
});

it('asks the resolver of the system', async () => {
  expect((await resolveAll('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
  await expect(resolveAll('no-such-host.invalid')).rejects.toMatchObject({
    code: 'unreachable',
    message: "The host 'no-such-host.invalid' was not found.",
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
