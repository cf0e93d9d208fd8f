import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isBound } from '../network/bound-credential.ts';
import { createGuardedFetch } from '../network/guarded-fetch.ts';
import type { Services } from '../services.ts';
import { type LocalServer, runNode, startServer, textsOf, declaredBy } from '../testing.ts';
import { parseCurl } from './parse-curl.ts';
import { httpRequest } from './http-request.ts';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: LocalServer;
let services: Partial<Services>;
const received: Received[] = [];
let onSlow: (closed: Promise<void>) => void = () => undefined;

beforeAll(async () => {
  server = await startServer((request, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    void text(request).then((body) => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body });
      if (url === '/slow') onSlow(closed);
      else if (url === '/large') response.end(Buffer.alloc(11 * 1024 * 1024));
      else if (url === '/cut')
        response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
      else if (url === '/missing') response.writeHead(404, { 'content-type': 'text/plain' }).end('no such item');
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[1,2]}');
    });
  });
  services = { fetch: createGuardedFetch({ allow: [`127.0.0.1:${server.port}`] }) };
});
afterAll(() => server.close());
afterEach(() => {
  received.length = 0;
});

const send = (config: Readonly<Record<string, unknown>>, more: Partial<Services> = {}, signal?: AbortSignal) =>
  runNode(
    { type: 'APIRequest', output: 'data', config, services: { ...services, ...more } },
    signal === undefined ? {} : { signal },
  );

describe('APIRequest', () => {
  it('sends query, headers and a JSON body, and parses the answer', async () => {
    const { value } = await send({
      url_input: `${server.url}/items`,
      method: 'POST',
      query_params: { page: '2' },
      headers: [{ key: 'X-Trace', value: 't1' }],
      body: [{ key: 'name', value: 'Ada' }],
    });
    expect(value).toMatchObject({
      source: `${server.url}/items?page=2`,
      status_code: 200,
      result: { items: [1, 2] },
    });
    expect(received[0]).toMatchObject({ method: 'POST', body: '{"name":"Ada"}', headers: { 'x-trace': 't1' } });
    expect(received[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it('sends writes of a run with an id under an idempotency key', async () => {
    const node = { type: 'APIRequest', output: 'data', services };
    await runNode({ ...node, config: { url_input: server.url, method: 'PUT' } }, { runId: 'run1' });
    await runNode({ ...node, config: { url_input: server.url } }, { runId: 'run1' });
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([
      expect.stringMatching(/^run1\/APIRequest-\w+\/$/),
      undefined,
    ]);
  });

  it('gives the status and text of an error answer', async () => {
    const { value } = await send({ url_input: `${server.url}/missing` });
    expect(value).toMatchObject({ status_code: 404, result: 'no such item' });
  });

  it('gives a failed connection as data, so a flow can react to it', async () => {
    const { value } = await send({ url_input: `${server.url}/cut` });
    expect(value).toMatchObject({ status_code: 500, error: expect.stringContaining('ended') as string });
  });

  it.each([
    ['a body with GET', { mode: 'cURL', curl_input: 'curl -X GET -d canary http://x.org' }],
    ['a header that has a line break', { url_input: 'http://x.org', headers: { 'x-key': 'canary\nsecond' } }],
    ['a header whose name has a space', { url_input: 'http://x.org', headers: { 'canary name': 'x' } }],
    ['a method that no client may send', { mode: 'cURL', curl_input: 'curl -X TRACE http://x.org' }],
  ])('fails with advice for %s, and shows no value', async (_, config) => {
    const { status, failure } = await send(config);
    expect([status, failure?.message]).toEqual([
      'failed',
      'The method, a header or the body of the request is not valid.',
    ]);
    expect(JSON.stringify(failure)).not.toContain('canary');
  });

  it('fails with advice when the response is too large', async () => {
    const { failure } = await send({ url_input: `${server.url}/large` });
    expect(failure?.message).toContain('more than 10485760 bytes');
    expect(failure?.fix).toBeDefined();
  });

  it('closes the connection when the run is cancelled', async () => {
    const abort = new AbortController();
    const left = new Promise<void>((resolve) => {
      onSlow = (closed) => {
        void closed.then(resolve);
        abort.abort();
      };
    });
    const { status } = await send({ url_input: `${server.url}/slow` }, {}, abort.signal);
    expect(status).toBe('cancelled');
    await left;
  });

  it('says so when a run has no network', async () => {
    const { failure } = await runNode({ type: 'APIRequest', output: 'data', config: { url_input: server.url } });
    expect(failure?.message).toBe('This run has no network.');
  });
});

describe('credentials', () => {
  const credential = (hosts: readonly string[]): Partial<Services> => ({
    credential: (name) => (name === 'API' ? { value: 'canary-77', hosts } : undefined),
  });

  it('go to the host that they are bound to', async () => {
    await send({ url_input: `${server.url}/a`, credential: 'API' }, credential([server.url]));
    expect(received[0]?.headers.authorization).toBe('Bearer canary-77');
  });

  it('do not go to another host', async () => {
    const { failure } = await send(
      { url_input: `${server.url}/a`, credential: 'API' },
      credential(['api.example.com']),
    );
    expect(failure?.message).toContain("The credential 'API' is not sent to");
    expect(JSON.stringify(failure)).not.toContain('canary-77');
    expect(received).toEqual([]);
  });

  it.each([
    ['api.example.com', ['https://api.example.com', 'https://API.example.com:443']],
    ['api.example.com:8443', ['https://api.example.com:8443']],
    ['https://api.example.com:8443', ['https://api.example.com:8443']],
    ['http://api.example.com:8080', ['http://api.example.com:8080']],
    ['http://api.example.com', ['http://api.example.com']],
    ['[::1]:8443', ['https://[::1]:8443']],
    ['api.example.com/path', []],
    ['user@api.example.com', []],
  ])('bound to %s go to these origins only: %j', (host, allowed) => {
    const origins = [
      'api.example.com',
      'API.example.com:443',
      'api.example.com:8443',
      'api.example.com:8080',
      '[::1]:8443',
    ]
      .flatMap((each) => [`https://${each}`, `http://${each}`])
      .filter((origin) => isBound(`${origin}/path`, [host]));
    expect(origins).toEqual(allowed);
  });

  it.each(['Authorization', 'cookie', 'X-Api-Key', 'X-Auth-Token'])(
    'in the header %s need a host that the author names',
    async (key) => {
      const config = { url_input: `${server.url}/a`, headers: [{ key, value: 'k' }] };
      expect((await send(config)).failure?.fix).toContain('credential_hosts');
      expect(received).toEqual([]);
      await send({ ...config, credential_hosts: server.url });
      expect(received[0]?.headers[key.toLowerCase()]).toBe('k');
    },
  );

  it('that are unknown fail with the next step', async () => {
    const { failure } = await send({ url_input: server.url, credential: 'NO' }, credential([]));
    expect(failure?.fix).toContain('--credential');
  });
});

describe('a curl command', () => {
  it('is sent as curl sends it', async () => {
    const command = `curl -X PUT '${server.url}/items/1' \\\n -H 'Content-Type: application/json' --data-raw '{"a":"it'\\''s"}' --compressed`;
    await send({ mode: 'cURL', curl_input: command });
    expect(received[0]).toMatchObject({ method: 'PUT', url: '/items/1', body: `{"a":"it's"}` });
  });

  it.each([
    ['curl example.com', { url: 'http://example.com', method: 'GET' }],
    ['curl -G https://x.org/s -d q=a -d n=2', { url: 'https://x.org/s?q=a&n=2', method: 'GET' }],
    ['curl -d a=1 https://x.org', { method: 'POST', body: 'a=1' }],
    ['curl -XPATCH -L https://x.org', { method: 'PATCH', followRedirects: true }],
    ['curl --data-urlencode "q=a b&c" https://x.org', { body: 'q=a%20b%26c' }],
    [String.raw`curl https://x.org --data-raw $'\u0041\n'`, { body: 'A\n' }],
    ['curl -u me:pw https://x.org', { headers: { authorization: 'Basic bWU6cHc=' } }],
    ['curl -I https://x.org', { method: 'HEAD' }],
    [`curl --json '{"a":1}' https://x.org`, { headers: { 'content-type': 'application/json' }, method: 'POST' }],
  ])('%s is parsed', (command, expected) => {
    expect(parseCurl(command)).toMatchObject(expected);
  });

  it.each([
    ['wget https://x.org', 'start with curl'],
    ['curl', 'no address'],
    ['curl -k https://x.org', "'-k'"],
    ['curl -F file=@a https://x.org', "'-F'"],
    ['curl -d @/etc/passwd https://x.org', 'sends a file'],
    ["curl 'https://x.org", 'quote is not closed'],
    ['curl -H', 'has no value'],
    ['curl https://a.org https://b.org', 'second address'],
    ['curl -K /etc/curlrc https://a.org', "'-K'"],
  ])('%s is refused', (command, why) => {
    expect(() => parseCurl(command)).toThrow(why);
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(httpRequest)).toEqual([
    'APIRequest: network-write',
    'mode: select default="URL" of URL|cURL',
    'url_input: text Message required toolParameter if mode URL',
    'curl_input: multiline required variables=false if mode cURL',
    'method: select default="GET" of GET|POST|PATCH|PUT|DELETE if mode URL',
    'query_params: key-value Data advanced if mode URL',
    'body: table Data Message columns=[{"name":"key","label":"Name","kind":"text"},{"name":"value","label":"Value","kind":"text"}] if method POST|PATCH|PUT|DELETE',
    'headers: table advanced columns=[{"name":"key","label":"Name","kind":"text"},{"name":"value","label":"Value","kind":"text"}] if mode URL',
    'credential: text default="" variables=false',
    'credential_header: text advanced default="Authorization" variables=false',
    'credential_hosts: text advanced default="" variables=false',
    'timeout: integer advanced default=30 max=600 min=1',
    'follow_redirects: switch advanced default=false if mode URL',
    'data: gives Data',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(httpRequest.descriptor)).toEqual([
    'HTTP request (globe): Sends a request to an HTTP API and gives the response. Private and local addresses are refused.',
    'data | http | rest | api | curl | webhook | HTTPRequest',
    'mode: Mode',
    'url_input: Address | https://api.example.com/items',
    'curl_input: curl command | Paste the command. Files and options that change certificates are not supported.',
    'method: Method',
    'query_params: Query',
    'body: Body | Names and values become a JSON object. A connected message is sent as text.',
    'headers: Headers',
    'credential: Credential | The name of a credential. It is sent only to the hosts that it is bound to.',
    'credential_header: Header of the credential | Authorization sends the credential as a bearer token.',
    'credential_hosts: Hosts of sensitive headers | Hosts that may receive headers such as Authorization and Cookie over https, separated by commas.',
    'timeout: Timeout in seconds',
    'follow_redirects: Follow redirects | Each target is checked. Credentials are not sent to another host.',
    'data: Response | source, status_code, response_headers, result',
  ]);
});
