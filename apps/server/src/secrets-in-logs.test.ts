import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ADMIN, startTestServer, type TestServer, type Visitor } from './testing.ts';

const GATEWAY = '/instance-ai/gateway';
const USER = { login: 'greta.secret@mail.example', password: 'a password that is not logged' };
const VARIABLE = 'a value that is not logged';
const TABLES = [
  'user',
  'session',
  'account',
  'api_key',
  'gateway_pairing',
  'gateway_session',
  'gateway_toggle',
  'variable',
  'flow_run',
  'webhook',
  'webhook_listener',
];

let server: TestServer;
let database: pg.Client;
let printed: string[];
const secrets = new Set<string>();

beforeAll(async () => {
  printed = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  server = await startTestServer();
  await server.running.ready;
  database = new pg.Client({ host: join(server.baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
  await database.connect();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await database?.end();
  await server?.stop();
});

const post = (path: string, json: object) => [path, { method: 'POST', json }] as const;

/** Everything of this server that asks the database, by a page, a key and a machine. Answers do not matter here. */
async function askEverything(page: Visitor, key: Visitor, machineKey: string, hook: Hook): Promise<number[]> {
  const login = { login: USER.login, password: USER.password };
  const asked = [
    server.stranger.request(...post('/api/v1/session', login)),
    page.request('/api/v1/me'),
    page.request('/api/v1/me', { method: 'PATCH', json: { name: 'Greta' } }),
    page.request('/api/v1/keys'),
    page.request(...post('/api/v1/keys', { name: 'another' })),
    page.request('/api/v1/users'),
    page.request('/api/v1/variables/API_TOKEN', { method: 'PUT', json: { value: VARIABLE } }),
    page.request('/api/v1/variables'),
    page.request('/api/v1/runs'),
    page.request('/api/v1/webhooks'),
    page.request(...post(`/api/v1/flows/${hook.flow}/webhooks`, {})),
    page.request(...post(`/api/v1/webhooks/${hook.id}/secret`, {})),
    page.request(...post(`/api/v1/webhooks/${hook.id}/listener`, {})),
    sendTo(hook),
    page.request(...post('/api/v1/users', { name: 'x', email: USER.login, password: USER.password })),
    page.request(...post('/api/v1/users', { name: 'y', email: `new.${USER.login}`, password: USER.password })),
    page.request(...post(`${GATEWAY}/create-link`, {})),
    page.request(...post('/instance-ai/filesystem/toggle', { enabled: false })),
    key.request('/api/v1/files'),
    key.request(...post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })),
    machineRequest('/init', machineKey, { rootPath: '/home/greta', tools: [] }),
    machineRequest('/disconnect', machineKey, {}),
    server.stranger.request(`${GATEWAY}/status`),
  ];
  return (await Promise.all(asked)).map(({ status }) => status);
}

interface Hook {
  readonly flow: string;
  readonly id: string;
  readonly secret: string;
}

function sendTo({ id, secret }: Hook): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
  return fetch(`${server.url}/hooks/${id}`, { method: 'POST', headers, body: JSON.stringify({ note: VARIABLE }) });
}

function machineRequest(path: string, key: string, json: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-gateway-key': key };
  return fetch(`${server.url}/instance-ai/gateway${path}`, { method: 'POST', headers, body: JSON.stringify(json) });
}

/** The text of every log: the server's, which has PostgreSQL's, what the process printed, and those of workspaces. */
function allLogs(): string {
  const workspaces = readdirSync(join(server.baseDir, 'workspaces'), { recursive: true, withFileTypes: true });
  const files = workspaces.filter((entry) => entry.isFile() && entry.name !== '.fs_pepper');
  return [
    ...server.lines,
    ...printed,
    ...files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  ].join('\n');
}

it('no log holds a secret or an e-mail address when every query fails', async () => {
  const admin = await server.signInAdmin();
  await admin.json(
    ...post('/api/v1/users', { name: 'Greta', email: USER.login, password: USER.password, role: 'admin' }),
  );
  const page = await server.signIn(USER.login, USER.password);
  const { secret } = (await page.json<{ secret: string }>(...post('/api/v1/keys', { name: 'a key' }))).body;
  const { token } = (await page.json<{ token: string }>(...post(`${GATEWAY}/create-link`, {}))).body;
  const welcome = await machineRequest('/init', token, { rootPath: '/home/greta', tools: [] });
  const { sessionKey } = (await welcome.json()) as { sessionKey: string };
  const unused = (await page.json<{ token: string }>(...post(`${GATEWAY}/create-link`, {}))).body.token;

  const { flow } = (await page.json<any>(...post('/api/v1/flows', { name: 'a flow' }))).body;
  const made = (await page.json<any>(...post(`/api/v1/flows/${flow.id}/webhooks`, {}))).body;
  const hook: Hook = { flow: flow.id, id: made.webhook.id, secret: made.secret };

  for (const one of [
    VARIABLE,
    hook.secret,
    ADMIN.password,
    USER.password,
    USER.login,
    'admin@localhost',
    secret,
    token,
    unused,
    sessionKey,
  ])
    for (const spelled of [one, createHash('sha256').update(one).digest('hex')]) secrets.add(spelled);
  for (const cookie of `${admin.cookie}; ${page.cookie}`.split('; '))
    secrets.add(decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1)));
  const stored = await database.query<{ secret: string }>(
    `SELECT token AS secret FROM session UNION SELECT password FROM account UNION SELECT email FROM "user"
     UNION SELECT key_hash FROM api_key UNION SELECT token_hash FROM gateway_pairing
     UNION SELECT key_hash FROM gateway_session UNION SELECT sealed FROM webhook`,
  );
  for (const row of stored.rows) secrets.add(row.secret);
  expect(secrets.size).toBeGreaterThan(20);

  const key = server.withKey(secret);
  // Each row is refused with all of its values in PostgreSQL's detail.
  for (const table of TABLES)
    await database.query(`ALTER TABLE "${table}" ADD CONSTRAINT never CHECK (false) NOT VALID`);
  expect(await askEverything(page, key, unused, hook)).toContain(500);
  for (const table of TABLES) await database.query(`ALTER TABLE "${table}" RENAME TO "${table}_gone"`);
  expect(await askEverything(page, key, sessionKey, hook)).toContain(500);

  const logs = allLogs();
  expect([...secrets].filter((one) => logs.includes(one))).toEqual([]);
  // The log still says which query failed, and why.
  expect(logs).toContain('"code":"23514"');
  expect(logs).toContain('"constraint":"never"');
  expect(logs).toContain('"code":"42P01"');
  expect(logs).toMatch(/"query":"select .*\$1/);
});
