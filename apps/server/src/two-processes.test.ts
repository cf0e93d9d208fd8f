import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryDir } from '@croft/workspace/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileDir } from '../../../tests/support/temp-dir.ts';
import { type ServerProcess, startServerProcess } from '../../../tests/store/server-process.ts';
import { openTestDatabase } from '../../../tests/store/test-database.ts';
import { ADMIN, cookiesOf, storeFlow, type Visitor, visitor } from './testing.ts';
import { requestFlow } from './testing-flows.ts';

/** Two servers with base directories of their own on one database, and what asks there. */
let own: Awaited<ReturnType<typeof openTestDatabase>>;
let database: pg.Client;
let servers: ServerProcess[] = [];
const baseDirs = [1, 2].map(() => fileDir(memoryDir()));
let urls: string[];
let admin: Visitor;
/** It answers nothing, so that a run that asks it goes on. */
let silent: Awaited<ReturnType<typeof startSilent>>;

beforeAll(async () => {
  own = await openTestDatabase();
  await own.database.pool.query('CREATE DATABASE two');
  const { host } = own.database.connection();
  const databaseUrl = `postgresql://croft@localhost/two?host=${encodeURIComponent(String(host))}`;
  silent = await startSilent();
  const settings = {
    databaseUrl,
    flowHosts: [silent.host],
    autoLogin: false,
    superuser: ADMIN.login,
    superuserPassword: ADMIN.password,
  };
  const secretKey = 'one secret key for both of the processes';
  servers = baseDirs.map((baseDir) => startServerProcess({ ...settings, secretKey, baseDir }));
  urls = await Promise.all(servers.map(({ url }) => url));
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  admin = await signIn(0, ADMIN.login, ADMIN.password);
});
afterAll(async () => {
  await database?.end();
  await Promise.all(servers.map((server) => server.stop()));
  await own?.close();
  silent?.stop();
});

async function startSilent() {
  let requests = 0;
  const server = createServer(() => void requests++).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests, stop };
}

const post = (json: object = {}) => ({ method: 'POST', json });
const urlOf = (server: number) => urls[server] as string;

async function signIn(server: number, login: string, password: string): Promise<Visitor> {
  const answer = await visitor(urlOf(server), {}).request('/api/v1/session', post({ login, password }));
  expect(answer.status).toBe(200);
  return visitor(urlOf(server), { cookie: cookiesOf(answer) });
}

let users = 0;
/** A new user with a session at both servers, and a key that asks the second. */
async function newUser() {
  const login = `user${++users}@example.test`;
  const password = `password of ${login}`;
  const made = await admin.json<{ user: { id: string } }>('/api/v1/users', post({ name: 'U', email: login, password }));
  const first = await signIn(0, login, password);
  // The same session: the name of its cookie has the port, and both processes have one secret key.
  const cookie = first.cookie?.replaceAll(`_${new URL(urlOf(0)).port}`, `_${new URL(urlOf(1)).port}`) ?? '';
  const second = visitor(urlOf(1), { cookie });
  const { body } = await first.json<{ secret: string }>('/api/v1/keys', post({ name: 'key' }));
  const key = visitor(urlOf(1), { authorization: `Bearer ${body.secret}` });
  return { id: made.body.user.id, first, second, key };
}

/** A machine of a page's user, connected to the server of that page. It answers only by `answer`. */
async function connectMachine(page: Visitor, server: number) {
  const { body } = await page.json<{ token: string }>('/instance-ai/gateway/create-link', post());
  const send = (path: string, key: string, json: object) =>
    fetch(`${urlOf(server)}/instance-ai/gateway${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gateway-key': key },
      body: JSON.stringify(json),
    });
  const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' } }];
  const welcome = await send('/init', body.token, { rootPath: '/home/me', tools });
  const { sessionKey } = (await welcome.json()) as { sessionKey: string };
  const stream = await fetch(`${urlOf(server)}/instance-ai/gateway/events`, {
    headers: { 'x-gateway-key': sessionKey },
  });
  let text = '';
  const over = (async () => {
    for await (const part of stream.body as unknown as AsyncIterable<Uint8Array>)
      text += new TextDecoder().decode(part);
  })().catch(() => {});
  await expect.poll(() => status(page)).toMatchObject({ connected: true });
  return {
    over,
    sessionKey,
    requestIds: () => requestIdsIn(text, 'filesystem-request'),
    cancelledIds: () => requestIdsIn(text, 'filesystem-cancel'),
    answer: (id: string) =>
      send(`/response/${id}`, sessionKey, { result: { content: [{ type: 'text', text: 'LEAKED' }] } }),
    alive: () => send('/alive', sessionKey, {}),
  };
}

/** The ids in the events of one type. */
const requestIdsIn = (text: string, type: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.includes(`"type":"${type}"`))
    .map((line) => /"requestId":"([^"]+)"/.exec(line)?.[1] as string);

const status = async (page: Visitor) => (await page.json('/instance-ai/gateway/status')).body;
const turn = (page: Visitor, enabled: boolean) => page.json('/instance-ai/filesystem/toggle', post({ enabled }));
const look = (key: Visitor) => key.json('/api/v1/gateway/tools/look', post());

it('both come up when they start at once on an empty database, with one admin', async () => {
  const { rows } = await database.query(`SELECT email FROM "user" WHERE role = 'admin'`);
  expect(rows).toEqual([{ email: 'admin@localhost' }]);
  await signIn(1, ADMIN.login, ADMIN.password);
});

it('a machine at one ends when the user disconnects it at the other', async () => {
  const user = await newUser();
  const machine = await connectMachine(user.second, 1);
  await user.first.json('/instance-ai/gateway/disconnect-session', post());
  await machine.over;
  expect((await machine.alive()).status).toBe(403);
  expect(await status(user.second)).toMatchObject({ connected: false });
});

it('a machine at one ends when the user pairs another at the other', async () => {
  const user = await newUser();
  const machine = await connectMachine(user.second, 1);
  const newer = await connectMachine(user.first, 0);
  await machine.over;
  expect((await machine.alive()).status).toBe(403);
  expect((await newer.alive()).status).toBe(200);
  expect(await status(user.first)).toMatchObject({ connected: true });
});

it('switching off at one stops the calls at the other, and drops the answer that was under way', async () => {
  const user = await newUser();
  const machine = await connectMachine(user.second, 1);
  const call = look(user.key);
  await expect.poll(() => machine.requestIds().length).toBe(1);
  await turn(user.first, false);
  await expect.poll(() => status(user.second)).toMatchObject({ connected: true, enabled: false });
  await machine.answer(machine.requestIds()[0] as string);
  const { status: code, body } = await call;
  expect([code, JSON.stringify(body)]).toEqual([409, expect.not.stringContaining('LEAKED')]);
  expect((await look(user.key)).status).toBe(409);
  expect(machine.requestIds()).toHaveLength(1);
  expect(machine.cancelledIds()).toEqual(machine.requestIds());
});

it('disabling a user at one ends machine, pages and keys at the other', async () => {
  const user = await newUser();
  const machine = await connectMachine(user.second, 1);
  const events = await user.second.request('/api/v1/events');
  await admin.json(`/api/v1/users/${user.id}`, { method: 'PATCH', json: { disabled: true } });
  await machine.over;
  await events.text();
  expect((await machine.alive()).status).toBe(403);
  expect((await user.key.json('/api/v1/files?root=mine')).status).toBe(401);
});

it('a request to a webhook at one reaches its listener at the other, and deleting the flow at one ends the webhook', async () => {
  const user = await newUser();
  const { body: made } = await user.first.json<any>('/api/v1/flows', post({ name: 'hooked' }));
  const path = `/api/v1/flows/${made.flow.id}`;
  const { body } = await user.first.json<any>(`${path}/webhooks`, post());
  const listener = `/api/v1/webhooks/${body.webhook.id}/listener`;
  const send = () =>
    fetch(`${urlOf(0)}/hooks/${body.webhook.id}`, {
      method: 'POST',
      headers: { 'x-croft-token': body.secret },
      body: 'hi',
    });
  expect((await user.second.json(listener, post())).status).toBe(200);
  const waiting = user.second.json(`${listener}?wait=20`);
  expect(await (await send()).json()).toEqual({ captured: true });
  expect((await waiting).body).toMatchObject({ status: 'captured', request: { data: 'hi' } });
  await user.second.json(path, { method: 'DELETE' });
  expect((await send()).status).toBe(404);
});

it('a direct run at one is neither cancelled nor deleted at the other, which says so', async () => {
  const { first, second } = await newUser();
  const flow = await storeFlow(first, requestFlow(`http://${silent.host}/`));
  const stream = await first.request(`/api/v1/flows/${flow}/run/stream`, post());
  const path = `/api/v1/runs/${stream.headers.get('croft-run-id')}`;
  await expect.poll(() => silent.requests()).toBe(1);
  for (const answer of [await second.json(`${path}/cancel`, post()), await second.json(path, { method: 'DELETE' })])
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { code: 'unavailable', message: expect.stringContaining('at another server') } },
    });
  expect(JSON.stringify((await first.json(path)).body)).toContain('"status":"running"');
  expect((await first.json(`${path}/cancel`, post())).status).toBe(200);
  await stream.text();
  expect((await second.json(`${path}/cancel`, post())).status).toBe(200);
  expect((await second.json(path, { method: 'DELETE' })).status).toBe(200);
});

it('signing out at one ends the pages of the same user at the other', async () => {
  const user = await newUser();
  const events = await user.second.request('/api/v1/events');
  await user.first.json('/api/v1/session', { method: 'DELETE' });
  await events.text();
});

it('what changed while the listener was away is read when it is back', async () => {
  const user = await newUser();
  await connectMachine(user.second, 1);
  const cut = () =>
    database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'croft changes'`);
  await cut();
  await turn(user.first, false);
  await cut();
  await expect.poll(() => status(user.second)).toMatchObject({ connected: true, enabled: false });
});

it('a change without a notification, as behind a pooler, is found by its revision', async () => {
  const user = await newUser();
  const machine = await connectMachine(user.second, 1);
  const events = await user.second.request('/api/v1/events');
  await database.query('BEGIN');
  await database.query(`DELETE FROM gateway_session WHERE user_id = $1`, [user.id]);
  await database.query(`DELETE FROM session WHERE user_id = $1`, [user.id]);
  await database.query('UPDATE change_revision SET value = value + 1');
  await database.query('COMMIT');
  await machine.over;
  await events.text();
});
