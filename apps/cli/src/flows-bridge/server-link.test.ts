import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../../../../tests/support/collect-garbage.ts';
import { NotSignedIn, openServerLink, ServerFailed } from './server-link.ts';

let sent: { url: string; init: RequestInit }[];
let answer: () => Response | Promise<Response>;
beforeEach(() => {
  sent = [];
  answer = () => Response.json({ result: { ok: 1 } });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init = {}) => {
    sent.push({ url: url as string, init });
    init.signal?.throwIfAborted();
    return answer();
  });
});
afterEach(() => void vi.restoreAllMocks());

const link = (key: string | undefined = 'k') =>
  openServerLink({ server: 'http://s', toolset: 'flows', key: () => key });
const ask = (signal?: AbortSignal) => link().request('tools/call', { name: 'run' }, signal);
const failure = async () => ask().catch((error: unknown) => error);

const MAYBE = 'The call may have taken effect, and a run that it started may continue: look before you repeat it.';
const failingBody = (before = () => {}) =>
  new Response(
    new ReadableStream({
      pull(controller) {
        before();
        controller.error(new TypeError('terminated'));
      },
    }),
  );

describe('a server that does not give a result', () => {
  const asked: (string | undefined)[] = [];
  let listener: RequestListener;
  const server = createServer((request, response) => {
    asked.push(request.url);
    listener(request, response);
  });
  const request = (signal?: AbortSignal) => {
    const { port } = server.address() as AddressInfo;
    const to = openServerLink({ server: `http://127.0.0.1:${port}`, toolset: 'flows', key: () => 'k' });
    return to.request('tools/list', {}, signal);
  };
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  beforeEach(() => {
    vi.restoreAllMocks();
    asked.length = 0;
  });
  afterAll(() => void server.close());

  it('gets the key at its own address only, and gives no result by a redirect', async () => {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { ok: 1 } });
    listener = (_, response) => response.writeHead(307, { location: '/other' }).end(message);
    await expect(request()).rejects.toEqual(new ServerFailed('The server answered with status 307.'));
    expect(asked).toEqual(['/mcp/flows?toolset=flows']);
  });

  it('loses the connection when the call is aborted, also after a garbage collection', async () => {
    const begun = new Promise<ServerResponse>((resolve) => {
      listener = (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n');
        resolve(response);
      };
    });
    const reads = vi.spyOn(Response.prototype, 'text');
    const stop = new AbortController();
    const call = request(stop.signal);
    const left = once(await begun, 'close');
    await expect.poll(() => reads.mock.calls.length).toBe(1);
    collectGarbage();
    stop.abort(new Error('No longer wanted'));
    await expect(call).rejects.toThrow('No longer wanted');
    await left;
  });
});

describe('a request to the flows of a server', () => {
  it('is one message of MCP with the key', async () => {
    expect(await ask()).toEqual({ ok: 1 });
    const [{ url, init } = { url: '', init: {} }] = sent;
    expect(url).toBe('http://s/mcp/flows?toolset=flows');
    expect(init).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      headers: {
        Authorization: 'Bearer k',
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-06-18',
      },
    });
    expect(JSON.parse(init.body as string)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'run' },
    });
    expect(link().server).toBe('http://s');
  });

  it('is not sent without a key', async () => {
    const none = openServerLink({ server: 'http://s', toolset: 'flows', key: () => undefined });
    await expect(none.request('tools/list', {})).rejects.toEqual(
      new NotSignedIn('There is no key for this server. Call login.'),
    );
    expect(sent).toEqual([]);
  });

  it('says that the server does not accept the key, or does not answer', async () => {
    answer = () => new Response('', { status: 401 });
    expect(await failure()).toEqual(new NotSignedIn('The server does not accept the key. Call login.'));
    expect(await failure()).toBeInstanceOf(NotSignedIn);
    answer = () => Promise.reject(new Error('refused'));
    expect(await failure()).toEqual(new ServerFailed('No server answers at http://s. Start it with croft serve.'));
    expect(await failure()).toMatchObject({ cause: new Error('refused') });
  });

  it('may have taken effect if the server is too slow', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('late', 'TimeoutError')));
    const late = new ServerFailed(`The server at http://s did not answer within 125 s. ${MAYBE}`);
    expect(await failure()).toEqual(late);
    // The time ends while the body is read.
    const limit = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    answer = () => failingBody(() => limit.abort());
    expect(await failure()).toEqual(late);
  });

  it.each(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])(
    'may have taken effect if its connection ends: %s',
    async (code) => {
      answer = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code } }));
      expect(await failure()).toEqual(
        new ServerFailed(`The connection to http://s ended before the answer was complete. ${MAYBE}`),
      );
    },
  );

  it('may have taken effect if the connection ends within the answer', async () => {
    answer = () => failingBody();
    expect(await failure()).toEqual(
      new ServerFailed(`The connection to http://s ended before the answer was complete. ${MAYBE}`),
    );
    const stop = new AbortController();
    answer = () => failingBody(() => stop.abort(new Error('stopped')));
    await expect(ask(stop.signal)).rejects.toThrow('stopped');
  });

  it('has no effect if the server cannot be reached', async () => {
    answer = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }));
    expect(await failure()).toEqual(new ServerFailed('No server answers at http://s. Start it with croft serve.'));
  });

  it('ends with its signal, and after 125 seconds', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(ask(stop.signal)).rejects.toThrow('stopped');
    const limits = vi.spyOn(AbortSignal, 'timeout');
    await ask(new AbortController().signal);
    await ask();
    expect(limits.mock.calls).toEqual([[125_000], [125_000]]);
    expect(sent.at(-1)?.init.signal).toBe(limits.mock.results.at(-1)?.value);
  });

  it('reads the last data of an event stream', async () => {
    answer = () => new Response('event: m\ndata: {"result":{"n":1}}\n\ndata: {"result":{"n":2}}\n\n');
    expect(await ask()).toEqual({ n: 2 });
    answer = () => new Response(' \n{"result":{"n":3}}');
    expect(await ask()).toEqual({ n: 3 });
  });

  it('gives the error of the server, or its status', async () => {
    answer = () => Response.json({ error: { message: 'broken' } }, { status: 500 });
    expect(await failure()).toEqual(new ServerFailed('broken'));
    for (const text of ['', 'data: x', '{', '{"result":4}']) {
      answer = () => new Response(text, { status: 502 });
      expect(await failure()).toEqual(new ServerFailed('The server answered with status 502.'));
    }
  });
});
