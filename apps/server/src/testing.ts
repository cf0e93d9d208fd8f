import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec, type FlowDocument } from '@croft/flow';
import { memoryDir } from '@croft/workspace/testing';
import type { PasswordHashing } from './accounts/authentication.ts';
import { loadConfig } from './config/load-config.ts';
import type { Settings } from './config/settings.ts';
import { createLog } from './log.ts';
import { type RunningServer, startServer, type StartOptions } from './start-server.ts';
import { postgresLayout } from './store/postgres-layout.ts';
import { copyServerDatabase } from './testing-database.ts';

/** Hashes passwords in microseconds. Tests sign in hundreds of users. */
export const FAST_HASHING: PasswordHashing = {
  hash: async (password) => createHash('sha256').update(password).digest('hex'),
  verify: async ({ hash, password }) => hash === (await FAST_HASHING.hash(password)),
};

export const ADMIN = { login: 'admin', password: 'correct horse battery' } as const;

/** A client of a test server. Its requests carry its cookie or key. */
export interface Visitor {
  /** A request as a page of the server sends it; `headers` win. */
  request(path: string, ask?: Ask): Promise<Response>;
  json<T = Record<string, unknown>>(path: string, ask?: Ask): Promise<{ status: number; body: T; headers: Headers }>;
  readonly cookie: string | undefined;
}

export interface Ask {
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: string | Uint8Array | ReadableStream;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** A real server over a real database, in a directory of its own. */
export interface TestServer {
  readonly url: string;
  readonly baseDir: string;
  readonly running: RunningServer;
  /** Lines of its log, as JSON. */
  readonly lines: readonly string[];
  /** A client without a cookie or key. */
  readonly stranger: Visitor;
  signIn(login: string, password: string): Promise<Visitor>;
  signInAdmin(): Promise<Visitor>;
  /** Adds a user, and signs in as this user. */
  addUser(name: string): Promise<Visitor>;
  /** Through the one-time address. */
  openPage(): Promise<Visitor>;
  withKey(secret: string): Visitor;
  withCookie(cookie: string): Visitor;
  stop(): Promise<void>;
}

/** Starts a server for a test; accounts with one admin unless the settings say otherwise. Wait for `running.ready`. */
export async function startTestServer(
  settings: Partial<Settings> = {},
  options: Partial<StartOptions> = {},
): Promise<TestServer> {
  const baseDir = settings.baseDir ?? mkdtempSync(join(memoryDir(), 'croft-server-'));
  const isFirstStart = existsSync(baseDir) && !existsSync(postgresLayout(baseDir).data);
  if (settings.databaseUrl === undefined && isFirstStart) await copyServerDatabase(baseDir);
  const lines: string[] = [];
  const { values } = await loadConfig({ baseDir }, { env: {} });
  const remove = () => {
    if (settings.baseDir === undefined) rmSync(baseDir, { recursive: true, force: true, maxRetries: 5 });
  };
  const running = await startServer({
    settings: {
      ...values,
      port: 0,
      autoLogin: false,
      ...(settings.autoLogin !== true && { superuser: ADMIN.login, superuserPassword: ADMIN.password }),
      ...settings,
    },
    version: '0.0.0-test',
    log: createLog('debug', (line) => lines.push(line), false),
    ...options,
    forTests: { checksResponses: true, runsInThread: false, passwordHashing: FAST_HASHING, ...options.forTests },
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const url = `http://${running.boundTo.replace('0.0.0.0', '127.0.0.1')}`;
  const withCookie = (cookie: string) => visitor(url, { cookie });
  const signIn = async (login: string, password: string) => {
    const answer = await visitor(url, {}).request('/api/v1/session', { method: 'POST', json: { login, password } });
    if (!answer.ok) throw new Error(`cannot sign in: ${answer.status} ${await answer.text()}`);
    return withCookie(cookiesOf(answer));
  };
  const signInAdmin = () => signIn(ADMIN.login, ADMIN.password);
  let admin: Visitor | undefined;
  return {
    url,
    baseDir,
    running,
    lines,
    stranger: visitor(url, {}),
    withCookie,
    withKey: (secret) => visitor(url, { authorization: `Bearer ${secret}` }),
    signIn,
    signInAdmin,
    async addUser(name) {
      admin ??= await signInAdmin();
      const json = { name, email: `${name}@example.test`, password: `password of ${name}` };
      const { status } = await admin.json('/api/v1/users', { method: 'POST', json });
      if (status !== 201) throw new Error(`cannot add ${name}: ${status}`);
      return signIn(json.email, json.password);
    },
    async openPage() {
      const opened = new URL(running.oneTimeUrl ?? '');
      const answer = await fetch(`${url}${opened.pathname}${opened.search}`, { redirect: 'manual' });
      return withCookie(cookiesOf(answer));
    },
    async stop() {
      await running.close();
      remove();
    },
  };
}

/** Creates an API key of a user and returns its secret. */
export async function makeKey(by: Visitor, name = 'agent'): Promise<string> {
  return (await by.json<{ secret: string }>('/api/v1/keys', { method: 'POST', json: { name } })).body.secret;
}

/**
 * Stores a flow of a user and returns its id.
 *
 * @param named the spec of the flow, or the name of a template
 * @param newId the id of each node, from its type and its name in the spec; random by default
 */
export async function storeFlow(
  by: Visitor,
  named: string,
  newId?: (type: string, specId: string) => string,
): Promise<string> {
  const json = { document: documentOf(named, newId) };
  return (await by.json<{ flow: { id: string } }>('/api/v1/flows', { method: 'POST', json })).body.flow.id;
}

/** The document of a spec or template, as {@link storeFlow} stores it. */
export function documentOf(named: string, newId?: (type: string, specId: string) => string): FlowDocument {
  const spec = TEMPLATES.find(({ name }) => name === named)?.spec ?? named;
  const built = buildFromSpec(spec, builtinRegistry(), newId);
  if ('error' in built) throw new Error(`${built.error} ${built.details}`);
  return built.flow;
}

/** The cookies an answer sets, as a browser sends them back. */
export function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** Requests with these headers. */
export function visitor(url: string, identity: Readonly<Record<string, string>>): Visitor {
  const request = (path: string, { method = 'GET', json, body, headers = {}, signal }: Ask = {}): Promise<Response> => {
    const asPage = 'authorization' in identity ? {} : { origin: url, 'sec-fetch-site': 'same-origin' };
    const all = {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...asPage,
      ...identity,
      ...headers,
    };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return fetch(`${url}${path}`, {
      method,
      headers: sent,
      redirect: 'manual',
      ...(signal && { signal }),
      ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined ? { body: body as never } : {}),
      ...(body instanceof ReadableStream && { duplex: 'half' as const }),
    } as RequestInit);
  };
  return {
    request,
    cookie: identity.cookie,
    async json<T>(path: string, ask?: Ask) {
      const answer = await request(path, ask);
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: (text === '' ? {} : JSON.parse(text)) as T };
    },
  };
}
