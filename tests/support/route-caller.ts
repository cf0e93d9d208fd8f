import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createApp } from '../../apps/server/src/app.ts';
import type { Identified } from '../../apps/server/src/identify.ts';
import type { Caller } from '../../apps/server/src/identity.ts';
import { Problem } from '../../apps/server/src/problem.ts';
import type { App, Route } from '../../apps/server/src/routes/route.ts';
import { serveRoutes, type ServeOptions } from '../../apps/server/src/routes/serve-routes.ts';
import { toProblem } from '../../apps/server/src/to-problem.ts';
import { TestResponse } from './test-response.ts';

export const TEST_CALLER: Caller = { userId: 'ann', role: 'user', via: 'session' };

interface Ask {
  readonly caller?: Caller | 'nobody';
  readonly json?: unknown;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of a JSON answer. */
  readonly body: any;
}

/** For tests: an app whose unexpected errors are answered with their messages. */
export const testApp = (): App => createApp((error) => toProblem(error) ?? new Problem(500, 'internal', error.message));

/** For tests: sends `GET /path` and so on to an app, without a socket. */
export async function askApp(app: App, target: string, { json, body, headers = {} }: Ask = {}): Promise<Answer> {
  const [method = 'GET', path = '/'] = target.split(' ');
  const sent = json === undefined ? body : JSON.stringify(json);
  const all = { host: 'croft.test', ...(json !== undefined && { 'content-type': 'application/json' }), ...headers };
  const incoming = Object.assign(Readable.from(sent === undefined ? [] : [Buffer.from(sent)]), {
    method,
    url: path,
    headers: all,
    socket: { remoteAddress: '127.0.0.1', setTimeout: () => {} },
  }) as unknown as IncomingMessage;
  const outgoing = new TestResponse().response;
  const response = await app.request(`http://croft.test${path}`, { method, headers: all }, { incoming, outgoing });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** For tests: a function that sends requests to these routes, by default as Ann with a session. It checks each response. */
export function routeCaller(routes: readonly Route[], options: Partial<ServeOptions> = {}) {
  return (target: string, ask: Ask = {}): Promise<Answer> => {
    const app = testApp();
    const { caller = TEST_CALLER } = ask;
    const identified: Identified | undefined = caller === 'nobody' ? undefined : { caller };
    serveRoutes(app, routes, { identify: async () => identified, checksResponses: true, ...options });
    return askApp(app, target, ask);
  };
}
