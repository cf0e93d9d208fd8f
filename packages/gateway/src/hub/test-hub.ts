import { createServer, get, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { createHub, type Hub } from './hub.ts';
import type { HubOptions } from './hub-options.ts';
import { memoryGatewayStore, type MemoryGatewayStore } from './memory-store.ts';

/** A hub behind a real HTTP server, on a port of its own. A page is signed in as the user in its cookie. */
export interface TestHub {
  readonly hub: Hub;
  readonly store: MemoryGatewayStore;
  /** `http://127.0.0.1:…/instance-ai` */
  readonly base: string;
  close(): Promise<void>;
}

/** The hub's own options; the default store is in memory. */
export type TestHubOptions = Partial<Omit<HubOptions, 'store'>> & {
  readonly store?: MemoryGatewayStore;
  readonly port?: number;
};

/** Starts a hub. With the store of another hub it acts as that hub after a restart. */
export async function serveTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const store = options.store ?? memoryGatewayStore();
  const linkFor = (_request: IncomingMessage, token: string) => ({
    command: `croft connect http://test ${token}`,
    url: 'http://test',
  });
  const hub = createHub({ linkFor, ...options, store });
  const identify = async (req: IncomingMessage) => {
    if (req.headers.cookie === 'too many')
      throw Object.assign(new Error('Wait a moment'), { status: 429, code: 'slow_down' });
    return /^user=(\w+)$/.exec(req.headers.cookie ?? '')?.[1];
  };
  const server = createServer((req, res) => {
    if (!hub.handle(req, res, identify)) res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  return {
    hub,
    store,
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/instance-ai`,
    async close() {
      await hub.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The response of an endpoint. */
export interface TestReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
  readonly body: any;
  readonly headers: IncomingMessage['headers'];
}

/** Sends one request; a body that is not a string is sent as JSON. */
export function postTo(
  url: string,
  given: {
    readonly method?: string;
    readonly key?: string | undefined;
    readonly user?: string | undefined;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<TestReply> {
  const text = given.body === undefined || typeof given.body === 'string' ? given.body : JSON.stringify(given.body);
  const headers = {
    ...(text !== undefined && { 'content-type': 'application/json' }),
    ...(given.key !== undefined && { 'x-gateway-key': given.key }),
    ...(given.user !== undefined && { cookie: `user=${given.user}` }),
    ...given.headers,
  };
  return new Promise((resolve, reject) => {
    const req = request(url, { method: given.method ?? 'POST', headers, agent: false }, (res) => {
      let body = '';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => {
        body += chunk;
      });
      res.on('end', () => {
        const parsed = body.startsWith('{') ? JSON.parse(body) : body;
        resolve({ status: res.statusCode ?? 0, body: parsed, headers: res.headers });
      });
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end(text);
  });
}

/** An open event stream, as a client reads it. */
export interface TestStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All received text, including comments. */
  readonly raw: () => string;
  /** Events so far. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
  readonly seen: { id: string | undefined; data: any }[];
  /** The next event that was not returned yet. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
  next(): Promise<{ id: string | undefined; data: any }>;
  /** Resolves when the server or the test ended it. */
  readonly ended: Promise<void>;
  /** Stops reading, as a hung client does. */
  pause(): void;
  /** Breaks the connection, as a cut network does. */
  cut(): void;
}

/** Opens a stream and waits for the response headers. */
export function openTestStream(
  url: string,
  given: { readonly key?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<TestStream> {
  const headers = { ...(given.key !== undefined && { 'x-gateway-key': given.key }), ...given.headers };
  return new Promise((resolve, reject) => {
    const req = get(url, { headers, agent: false }, (res) => resolve(readStream(res, () => req.destroy())));
    req.on('error', reject);
  });
}

function readStream(res: IncomingMessage, cut: () => void): TestStream {
  const seen: TestStream['seen'] = [];
  let taken = 0;
  let raw = '';
  const wanting: (() => void)[] = [];
  const parser = createParser({
    onEvent: ({ id, data }: EventSourceMessage) => {
      seen.push({ id, data: JSON.parse(data) });
      wanting.shift()?.();
    },
  });
  res.setEncoding('utf8');
  res.on('data', (chunk: string) => {
    raw += chunk;
    if (res.statusCode === 200) parser.feed(chunk);
  });
  res.on('error', () => undefined);
  return {
    status: res.statusCode ?? 0,
    headers: res.headers,
    raw: () => raw,
    seen,
    async next() {
      const n = taken++;
      while (seen[n] === undefined) await new Promise<void>((resolve) => wanting.push(resolve));
      return seen[n];
    },
    ended: new Promise((resolve) => res.on('close', resolve)),
    pause: () => res.pause(),
    cut,
  };
}
