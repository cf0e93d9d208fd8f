import { once } from 'node:events';
import { createModels } from '@croft/models';
import { createMcpClients, createRunSql } from '@croft/server/flow-parts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Workspace } from '@croft/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../../tests/support/collect-garbage.ts';
import { BUILTIN } from '../builtin.ts';
import { type LocalServer, runNode, startServer } from '../testing.ts';
import { createGuardedAddresses } from './guarded-addresses.ts';
import type { Resolve } from './guarded-client.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

let server: LocalServer;
beforeAll(async () => {
  server = await startServer((_, response) => response.end('internal'));
});
afterAll(() => server.close());

/** Answers of a hostile name server. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'rebound.example': ['127.0.0.1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'hex-mapped.example': ['::ffff:7f00:1'],
  'any.example': ['0.0.0.0'],
  'any6.example': ['::'],
  'link.example': ['fe80::1%eth0'],
  'metadata.google.internal': ['169.254.169.254'],
  'instance-data.ec2.internal': ['169.254.169.254'],
  'nat64.example': ['64:ff9b::7f00:1'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
};
const resolve: Resolve = async (host) =>
  (NAMES[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** `PORT` is the port of the local server. */
const TRICKS: readonly string[] = [
  'http://127.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://127.127.127.127:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.1:PORT/',
  'http://0x7f.0x0.0x0.0x1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://0000000177.0.0.1:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://127。0。0。1:PORT/',
  'http://127.0.\t0.1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:////127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://ⓛocalhost:PORT/',
  'http://app.localhost:PORT/',
  'http://app.localhost.:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[64:ff9b:1::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://0xA9FEA9FE/latest/meta-data/',
  'http://100.100.100.200/latest/meta-data/',
  'http://168.63.129.16/metadata',
  'http://10.0.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://198.18.0.1/',
  'http://255.255.255.255/',
  'http://example.com@127.0.0.1:PORT/',
  'http://example.com:80@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT#@example.com/',
  'http://127.0.0.1:PORT\\@example.com/',
  'http://127.0.0.1:PORT?@example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_GET',
  'ftp://127.0.0.1:PORT/',
  'unix:/var/run/docker.sock',
  'data:text/plain,internal',
  ...Object.keys(NAMES).map((name) => `http://${name}:PORT/`),
];

const guarded = () => createGuardedFetch({ resolve });
const withPort = (trick: string) => trick.replace('PORT', String(server.port));

/** The tricks for which an attempt did not fail with a refusal. */
async function notRefused(tricks: readonly string[], attempt: (url: string) => Promise<unknown>): Promise<string[]> {
  const reached: string[] = [];
  for (const trick of tricks) {
    const error: unknown = await attempt(withPort(trick)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!/_address$|^redirects$/.test(String((error as { code?: unknown } | undefined)?.code))) reached.push(trick);
  }
  return reached;
}

describe('a guarded fetch', () => {
  it('makes no connection for any of the tricks', async () => {
    const fetch = guarded();
    expect(await notRefused(TRICKS, fetch)).toEqual([]);
    expect(server.connections()).toBe(0);
    expect(TRICKS.length).toBeGreaterThanOrEqual(60);
  });

  it('has a control: the same server counts a connection that the administrator allows', async () => {
    const counted = await startServer((_, response) => response.end('allowed'));
    const response = await createGuardedFetch({ allow: [`127.0.0.1:${counted.port}`] })(counted.url);
    expect([await response.text(), counted.connections()]).toEqual(['allowed', 1]);
    await counted.close();
  });

  it.each(['not a host/', '10.0.0.0/99', 'name/8'])('refuses the exception %j of an administrator', (entry) => {
    expect(() => createGuardedFetch({ allow: [entry] })).toThrow(RangeError);
  });

  it('allows an exception on its port only', async () => {
    const other = await startServer((_, response) => response.end());
    const fetch = createGuardedFetch({ allow: [`127.0.0.1:${other.port}`, '[::1]:80', '10.0.0.0/8'] });
    await expect(fetch(server.url)).rejects.toMatchObject({ code: 'refused_address' });
    await other.close();
  });

  it('aborts a response whose body has begun, also after a garbage collection', async () => {
    let left: Promise<unknown> | undefined;
    const slow = await startServer((_, response) => {
      left = once(response, 'close');
      response.write('first');
    });
    const abort = new AbortController();
    const response = await createGuardedFetch({ allow: ['127.0.0.1'] })(slow.url, { signal: abort.signal });
    collectGarbage();
    abort.abort(new Error('No longer wanted'));
    await expect(response.text()).rejects.toThrow('No longer wanted');
    await left;
    await slow.close();
  });

  it('resolves a name once for a connection, so a second answer changes nothing', async () => {
    const counted = await startServer((_, response) => response.end('pinned'));
    let lookups = 0;
    const rebinding: Resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    const fetch = createGuardedFetch({ allow: [`127.0.0.1:${counted.port}`], resolve: rebinding });
    expect(await (await fetch(`http://rebinding.example:${counted.port}/`)).text()).toBe('pinned');
    expect(lookups).toBe(1);
    await counted.close();
  });
});

describe('redirects', () => {
  it('are refused when they lead to a private address', async () => {
    const open = await startServer(({ url = '' }, response) => {
      response.writeHead(302, { location: decodeURIComponent(url.slice(1)) }).end();
    });
    const fetch = createGuardedFetch({ allow: [`127.0.0.1:${open.port}`], resolve });
    // `http:127.0.0.1` is a relative reference, and stays on the server that redirects.
    const targets = TRICKS.filter((trick) => /^[\x20-\x7e]*$/.test(trick) && !trick.startsWith('http:127'));
    const followed = await notRefused(targets, (target) => fetch(`${open.url}/${encodeURIComponent(target)}`));
    expect([followed, server.connections()]).toEqual([[], 0]);
    await open.close();
  });

  it('lose all headers that may carry credentials when the origin changes', async () => {
    let received: NodeJS.Dict<string | string[]> = {};
    const target = await startServer(({ headers }, response) => {
      received = headers;
      response.end('ok');
    });
    const open = await startServer((_, response) => response.writeHead(302, { location: `${target.url}/` }).end());
    const fetch = createGuardedFetch({ allow: ['127.0.0.1'] });
    const headers = { authorization: 'Bearer k', cookie: 'a=b', 'x-api-key': 'k', 'x-own': 'k', accept: 'text/html' };
    expect(await (await fetch(open.url, { headers })).text()).toBe('ok');
    expect(received).toMatchObject({ accept: 'text/html' });
    for (const name of ['authorization', 'cookie', 'x-api-key', 'x-own']) expect(received).not.toHaveProperty(name);
    await expect(fetch(open.url, { method: 'PUT', body: 'private' })).rejects.toMatchObject({ code: 'redirects' });
    await Promise.all([open.close(), target.close()]);
  });

  it('end after the limit', async () => {
    const circle = await startServer((_, response) => response.writeHead(302, { location: '/' }).end());
    const fetch = createGuardedFetch({ allow: ['127.0.0.1'], maxRedirects: 3 });
    await expect(fetch(circle.url)).rejects.toMatchObject({ code: 'redirects' });
    await circle.close();
  });
});

/** Components that take an address, with the field that takes it. */
const WITH_URL: readonly (readonly [string, string, string, Readonly<Record<string, unknown>>])[] = [
  ['APIRequest', 'data', 'url_input', {}],
  ['URLComponent', 'page_results', 'urls', {}],
  ['RSSReader', 'dataframe', 'rss_url', {}],
  ['UnifiedWebSearch', 'results', 'base_url', { query: 'x' }],
  ['UnifiedWebSearch', 'results', 'query', { search_mode: 'RSS' }],
  ['MCPTools', 'message', 'url', {}],
  ['TextToSpeech', 'message', 'base_url', { text: 'x', credential: '' }],
];

it.each(WITH_URL)('%s makes no connection for any of the tricks', async (type, output, field, more) => {
  const fetch = guarded();
  const clients = createMcpClients({ fetch, commands: () => ({ allowed: [], writable: [], howToAllow: '' }) });
  const reached = await notRefused(TRICKS, async (trick) => {
    // A component that got an answer would fail at this workspace, and the count of connections shows it.
    const services = { fetch, mcp: clients.connect, workspace: {} as Workspace };
    const { failure } = await runNode({ type, output, config: { ...more, [field]: trick }, services });
    if (failure !== undefined) throw Object.assign(new Error(failure.message), { code: 'refused_address' });
  });
  await clients.close();
  expect([reached, server.connections()]).toEqual([[], 0]);
});

it.each(['SQLComponent', 'SQLStatement'])('%s makes no connection for any of the tricks', async (type) => {
  const services = { sql: createRunSql(createGuardedAddresses({ resolve })) };
  // The part between the scheme and the path of each trick, as it is.
  const hosts = TRICKS.flatMap((trick) => /^https?:\/\/([^/\\?#]+)/.exec(withPort(trick))?.[1] ?? []);
  const reached = await notRefused(hosts, async (host) => {
    const config = {
      query: 'SELECT 1',
      encryption: 'Not encrypted',
      database_url: `postgres://u@${host.replace(/^.*@/, '')}/d`,
    };
    const { failure } = await runNode({ type, output: 'message', config, services });
    if (failure !== undefined) throw Object.assign(new Error(failure.message), { code: 'refused_address' });
  });
  expect([reached, hosts.length >= 60, server.connections()]).toEqual([[], true, 0]);
});

// RemoteFiles asks the machine that its user connected to the server, and takes no address.
it('lists every component that uses the network', () => {
  const using = BUILTIN.filter(
    ({ descriptor: { type, control, effects } }) =>
      control !== 'flow' && type !== 'RemoteFiles' && effects.some((effect) => effect.startsWith('network')),
  );
  expect(using.map(({ descriptor }) => descriptor.type).sort()).toEqual(
    [...new Set(WITH_URL.map(([type]) => type))].sort(),
  );
});

it('an MCP client makes no connection for any of the tricks', async () => {
  const fetch = guarded();
  const attempts = TRICKS.map(withPort).filter((trick) => URL.canParse(trick));
  for (const trick of attempts) {
    const transport = new StreamableHTTPClientTransport(new URL(trick), { fetch });
    const client = new Client({ name: 'test', version: '1' });
    await expect(client.connect(transport), trick).rejects.toThrow();
    await client.close();
  }
  expect([attempts.length >= 60, server.connections()]).toEqual([true, 0]);
});

// The first request loads the SDK, which takes seconds on a busy machine.
it('a provider of models makes no connection for any of the tricks', async () => {
  const fetch = guarded();
  const reached = await notRefused(TRICKS, async (trick) => {
    const variables = { OPENAI_COMPATIBLE_BASE_URL: trick, OPENAI_COMPATIBLE_API_KEY: 'key' };
    const model = { provider: 'OpenAI compatible', name: 'any' };
    const request = { model, messages: [{ role: 'user' as const, text: 'Hello' }] };
    const models = createModels({ variables, fetch, retries: 0 });
    await expect(models.embed({ model, texts: ['Hello'] })).rejects.toThrow();
    await models
      .stream(request)
      .next()
      .catch((error: Error) => {
        throw Object.assign(error, { code: 'refused_address' });
      });
  });
  expect([reached, server.connections()]).toEqual([[], 0]);
});
