import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fixedWorkspace, makeToolset, DAEMON_EXCLUDES } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { join } from 'node:path';
import { runDaemon } from './daemon.ts';
import type { DaemonOptions } from './daemon-options.ts';
import type { DaemonEvent } from './daemon-events.ts';
import { openSettings } from './settings.ts';

/** The kind of server that a {@link FakeServer} imitates. */
export type Dialect = 'seed' | 'later' | 'croft';

/** One request that a fake server received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

/** Handles a request; returns `false` to let the server handle it. */
export type Intercept = (request: SeenRequest, res: ServerResponse) => boolean;

/**
 * A small real HTTP server that imitates a hub. `seed` has its endpoints without `/rest`, flat replies and the key of
 * streams in the URL; `later` has them below `/rest`, replies wrapped in `data`; `croft` has both.
 */
export interface FakeServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Valid tokens and keys; `init` uses a token up. */
  readonly tokens: Set<string>;
  readonly keys: Set<string>;
  streamCount(): number;
  intercept: Intercept;
  /** Requests to paths with this end. */
  seen(end: string): SeenRequest[];
  send(frame: object, id?: string): void;
  /** A ping as most servers send it: a comment. */
  ping(): void;
  /** The next response to the request with this id that was not returned yet. */
  answer(requestId: string): Promise<SeenRequest>;
  /** Waits until a condition holds. */
  until(condition: () => boolean, what?: string): Promise<void>;
  /** Ends all streams, normally or by cutting the connection. */
  cut(how?: 'end' | 'destroy'): void;
  close(): Promise<void>;
}

export async function startFakeServer(dialect: Dialect, port = 0): Promise<FakeServer> {
  const streams = new Set<ServerResponse>();
  const requests: SeenRequest[] = [];
  const looked = new Set<SeenRequest>();
  const tokens = new Set(['gw_token']);
  const keys = new Set<string>();
  let made = 0;
  const prefixes = {
    seed: ['/instance-ai'],
    later: ['/rest/instance-ai'],
    croft: ['/rest/instance-ai', '/instance-ai'],
  }[dialect];
  const wrap = (data: object) => (dialect === 'seed' ? data : dialect === 'later' ? { data } : { ...data, data });
  const fake: { intercept: Intercept } = { intercept: () => false };
  const reply = (res: ServerResponse, status: number, body: object): void => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const refuse = (res: ServerResponse, status: number, message: string): void =>
    reply(res, status, { code: 'refused', message });

  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const url = new URL(req.url ?? '/', 'http://fake');
      const text = Buffer.concat(parts).toString();
      const request: SeenRequest = {
        method: req.method ?? '',
        path: url.pathname,
        query: url.search,
        headers: req.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      requests.push(request);
      if (!fake.intercept(request, res)) handle(request, url, res);
    });
  });

  const handle = (request: SeenRequest, url: URL, res: ServerResponse): void => {
    const prefix = prefixes.find((candidate) => url.pathname.startsWith(`${candidate}/`));
    if (prefix === undefined) return void res.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
    const header = request.headers['x-gateway-key'];
    const path = url.pathname.slice(prefix.length);
    // Servers of the first dialect read the key of a stream only in the URL.
    const key =
      dialect === 'seed' && path === '/gateway/events' ? (url.searchParams.get('apiKey') ?? '') : String(header);
    if (!tokens.has(key) && !keys.has(key)) return refuse(res, 403, 'Invalid API key');
    if (path === '/gateway/init') {
      if (!tokens.delete(key)) return reply(res, 200, wrap(initReply()));
      const sessionKey = `sess_${++made}`;
      keys.add(sessionKey);
      return reply(res, 200, wrap({ ...initReply(), sessionKey }));
    }
    if (path === '/gateway/events') {
      res.writeHead(200, { 'content-type': 'text/event-stream; charset=UTF-8' });
      res.write(': ping\n\n');
      streams.add(res);
      return void res.on('close', () => streams.delete(res));
    }
    return reply(res, 200, wrap({ ok: true }));
  };
  const initReply = () => ({ ok: true, ...(dialect === 'croft' && { croft: { protocol: 1 } }) });

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const until = async (condition: () => boolean, what = 'a condition'): Promise<void> => {
    const give_up = Date.now() + 20_000;
    while (!condition()) {
      if (Date.now() > give_up) throw new Error(`waited in vain for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    tokens,
    keys,
    streamCount: () => streams.size,
    seen: (end: string) => requests.filter(({ path }) => path.endsWith(end)),
    send(frame: object, id?: string) {
      for (const stream of streams)
        stream.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(frame)}\n\n`);
    },
    ping() {
      for (const stream of streams) stream.write(': ping\n\n');
    },
    async answer(requestId: string) {
      let found: SeenRequest | undefined;
      await until(() => {
        found = requests.find((one) => one.path.endsWith(`/response/${requestId}`) && !looked.has(one));
        return found !== undefined;
      }, `an answer to ${requestId}`);
      looked.add(found as SeenRequest);
      return found as SeenRequest;
    },
    until,
    cut(how: 'end' | 'destroy' = 'destroy') {
      for (const stream of streams) stream[how]();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** A `filesystem-request` in a dialect. */
export function requestFrame(
  requestId: string,
  name: string,
  args: object,
  dialect: Dialect,
  more: object = {},
): object {
  const asked = dialect === 'seed' ? { operation: name, args } : { toolCall: { name, arguments: args } };
  return { type: 'filesystem-request', payload: { requestId, ...asked, ...more } };
}

/** A directory and the parts of a daemon for it. */
export interface DaemonBench {
  readonly scratch: Scratch;
  readonly settingsFile: string;
  readonly events: DaemonEvent[];
  /** Options of a daemon for the directory, with short waits. */
  options(more?: Partial<DaemonOptions>): DaemonOptions;
  /** Runs one; `close()` stops it. */
  run(more?: Partial<DaemonOptions>): ReturnType<typeof runDaemon>;
  close(): Promise<void>;
}

/** Short waits for tests. */
export const QUICK = {
  reconnect: { minMs: 10, maxMs: 40 },
  redeliver: { minMs: 5, maxMs: 20 },
  quietMs: 20,
  minIntervalMs: 10,
};

export function makeDaemonBench(lines: readonly string[] = [], mayWrite = false): DaemonBench {
  const scratch = makeScratch(lines);
  const settingsFile = join(scratch.base, 'base', 'connect.json');
  const workspace = openWorkspace(scratch.workspace, { readOnly: !mayWrite, baseDir: join(scratch.base, 'base') });
  const source = fixedWorkspace(workspace);
  const explore = { tools: makeToolset('explore', source, { exploreExcludes: DAEMON_EXCLUDES }) };
  const events: DaemonEvent[] = [];
  const running: Awaited<ReturnType<typeof runDaemon>>[] = [];
  const options = (more: Partial<DaemonOptions> = {}): DaemonOptions => ({
    workspace,
    table: mayWrite ? { tools: makeToolset('full', source) } : explore,
    operations: explore,
    allowWrite: mayWrite,
    version: '0.0.0-test',
    settings: openSettings(settingsFile),
    tell: (event) => events.push(event),
    env: {},
    timing: QUICK,
    ...more,
  });
  return {
    scratch,
    settingsFile,
    events,
    options,
    async run(more) {
      const daemon = await runDaemon(options(more));
      running.push(daemon);
      return daemon;
    },
    async close() {
      await Promise.all(running.map((daemon) => daemon.stop()));
      workspace.close();
      scratch.remove();
    },
  };
}
