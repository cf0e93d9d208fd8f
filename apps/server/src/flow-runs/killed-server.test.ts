import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ScriptedProvider, startScriptedProvider } from '@croft/models/testing';
import { memoryDir } from '@croft/workspace/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ServerProcess, startServerProcess } from '../../../../tests/store/server-process.ts';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { ADMIN, cookiesOf, storeFlow, type Visitor, visitor } from '../testing.ts';
import { copyServerDatabase } from '../testing-database.ts';
import { ingests } from '../testing-flows.ts';

/** Two requests with effects: the second begins with the response to the first. And a message that is stored beside them. */
const requestsOf = (host: string) => `name: Two requests
nodes:
  A: APIRequest
  B: APIRequest
  T: TypeConverterComponent
  O: ChatOutput
  I: ChatInput
  M: Memory
edges:
  I.message -> M.message
  A.data -> B.body
  B.data -> T.input_data
  T.message_output -> O.input_value
config:
  A.url_input: http://${host}/first
  A.method: POST
  B.url_input: http://${host}/second
  B.method: POST
  I.input_value: remember me
  M.mode: Store
`;

/** Stores a message. */
const KEEPS = `name: Keep
nodes:
  T: TextInput
  M: Memory
  O: ChatOutput
edges:
  T.text -> M.message
  M.stored_messages -> O.input_value
config:
  T.input_value: the letter
  M.mode: Store
  M.session_id: letters
`;

const TEXTS = Array.from({ length: 400 }, (_, at) => `text ${at}`);
/** Texts of one request to the provider. */
const BATCH = 128;

/** A run that was under way when its server was killed, and its user's client of the next server. */
interface KilledRun {
  readonly flow: string;
  readonly id: string;
  readonly client: Visitor;
}

const USERS = ['requesting', 'keeping', 'ingesting'];
const baseDir = fileDir(memoryDir());
const post = (json: object = {}) => ({ method: 'POST', json });
const received: { path: string; key: IncomingMessage['headers'][string] }[] = [];
let isKilled = false;
const service = createServer((request, response) => {
  const path = request.url ?? '';
  if (path === '/held') return;
  received.push({ path, key: request.headers['idempotency-key'] });
  if (isKilled || path === '/first') response.end('{"ok":true}');
});
let provider: ScriptedProvider;
const embedded = () => provider.requests.map(({ body }) => (JSON.parse(body) as { input: string[] }).input);
let first: ServerProcess;
let second: ServerProcess | undefined;
const databases: pg.Client[] = [];
let requesting: KilledRun & { readonly heldFlow: string };
let keeping: KilledRun;
let ingesting: KilledRun;

/** Each user has a run that stays at one place. The server is killed there, and the next one goes on with all of them. */
beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  provider = await startScriptedProvider(({ body }) =>
    !isKilled && body.includes('"text 300"') ? { stall: 'before' } : {},
  );
  const flowHosts = [host, new URL(provider.url).host];
  const account = { superuser: ADMIN.login, superuserPassword: ADMIN.password };
  await copyServerDatabase(baseDir);
  const start = () => startServerProcess({ baseDir, autoLogin: false, ...account, flowHosts });
  first = start();
  const url = await first.url;
  const admin = await signIn(url, ADMIN);
  const ids: string[] = [];
  for (const name of USERS) ids.push((await admin.json<any>('/api/v1/users', post(userOf(name)))).body.user.id);
  const [requester, keeper, ingester] = await signInEach(url);
  const begun = await Promise.all([
    beginRequests(requester, ids[0] as string, host),
    beginToKeep(keeper),
    beginIngestion(ingester),
  ]);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  isKilled = true;
  second = start();
  const clients = await signInEach(await second.url);
  requesting = { ...begun[0], client: clients[0] };
  keeping = { ...begun[1], client: clients[1] };
  ingesting = { ...begun[2], client: clients[2] };
});
afterAll(async () => {
  await Promise.all([...databases.map((each) => each.end().catch(() => {})), first?.stop(), second?.stop()]);
  service.closeAllConnections();
  service.close();
  await provider?.close();
});

const userOf = (name: string) => ({ name, email: `${name}@example.test`, password: `password of ${name}` });

async function signIn(url: string, { login, password }: { login: string; password: string }): Promise<Visitor> {
  const answer = await visitor(url, {}).request('/api/v1/session', post({ login, password }));
  expect(answer.status).toBe(200);
  return visitor(url, { cookie: cookiesOf(answer) });
}

/** One after the other: the server checks few passwords at once. */
async function signInEach(url: string): Promise<readonly [Visitor, Visitor, Visitor]> {
  const clients: Visitor[] = [];
  for (const { email: login, password } of USERS.map(userOf)) clients.push(await signIn(url, { login, password }));
  return clients as [Visitor, Visitor, Visitor];
}

async function openDatabase(): Promise<pg.Client> {
  const database = new pg.Client({ host: join(baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
  // The database ends with the server.
  database.on('error', () => {});
  await database.connect();
  databases.push(database);
  return database;
}

const queue = async (client: Visitor, flow: string): Promise<string> => {
  const { status, body } = await client.json<{ id: string }>(`/api/v1/flows/${flow}/runs`, post());
  expect(status).toBe(202);
  return body.id;
};

async function beginRequests(client: Visitor, userId: string, host: string) {
  let nodes = 0;
  const flow = await storeFlow(client, requestsOf(host), (type) => `${type}-${++nodes}`);
  // The lock under which messages of the user are added: the component waits for it when its server is killed.
  const database = await openDatabase();
  await database.query('SELECT pg_advisory_lock(hashtextextended($1, 7860018011))', [userId]);
  const source = `name: Held\nnodes:\n  A: APIRequest\nconfig:\n  A.url_input: http://${host}/held\n`;
  const held = await client.json<any>('/api/v1/flows/import', post({ source }));
  const heldFlow = held.body.flow.id as string;
  // The server ends before it answers.
  client.json(`/api/v1/flows/${heldFlow}/run`, post()).catch(() => {});
  await vi.waitFor(async () => expect(await statusOfLatest(client, heldFlow)).toBe('running'));
  const id = await queue(client, flow);
  await vi.waitFor(() => expect(received.map(({ path }) => path)).toEqual(['/first', '/second']));
  // Events are stored in batches: those of the first request are stored with the start of the second.
  const startedBefore = async () => {
    const { body } = await client.json<any>(`/api/v1/runs/${id}`);
    return body.run.timeline.map(({ node }: any) => node);
  };
  await vi.waitFor(async () => expect(await startedBefore()).toContain('APIRequest-2'));
  const waits = async () =>
    (await database.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rowCount;
  await vi.waitFor(async () => expect(await waits()).toBeGreaterThan(0));
  return { flow, id, heldFlow };
}

async function beginToKeep(client: Visitor) {
  const flow = await storeFlow(client, KEEPS, (type) => type);
  const database = await openDatabase();
  await database.query('BEGIN');
  await database.query('LOCK TABLE chat_message IN EXCLUSIVE MODE');
  const id = await queue(client, flow);
  const blocked = async () =>
    (await database.query("SELECT FROM pg_locks WHERE NOT granted AND relation = 'chat_message'::regclass")).rowCount;
  await vi.waitFor(async () => expect(await blocked()).toBe(1));
  return { flow, id };
}

async function beginIngestion(client: Visitor) {
  const variable = { method: 'PUT', json: { value: `${provider.url}/v1`, kind: 'text' } };
  await client.json('/api/v1/variables/OPENAI_COMPATIBLE_BASE_URL', variable);
  const flow = await storeFlow(client, ingests('OpenAI compatible/embed-model', TEXTS), (type) => type);
  const id = await queue(client, flow);
  await vi.waitFor(() => expect(embedded()).toHaveLength(3));
  return { flow, id };
}

const statusOfLatest = async (client: Visitor, flow: string) =>
  (await client.json<any>(`/api/v1/runs?flow=${flow}`)).body.runs[0]?.status;
const runOf = async ({ client, id }: KilledRun) => (await client.json<any>(`/api/v1/runs/${id}`)).body.run;
const completed = async (run: KilledRun) => {
  await expect.poll(async () => (await runOf(run)).status).toBe('completed');
  return runOf(run);
};
const eventsOf = async ({ client, id }: KilledRun) => (await client.request(`/api/v1/runs/${id}/events`)).text();

it('a run in the server itself is lost with it, and says so at once', async () => {
  expect(await statusOfLatest(requesting.client, requesting.heldFlow)).toBe('interrupted');
});

/** `npm run kill:runs` kills workers at each point of each node. */
it('a queued run goes on at the interrupted node after its server was killed', async () => {
  const run = await completed(requesting);
  expect(received.map(({ path }) => path)).toEqual(['/first', '/second', '/second']);
  expect(received[1]?.key).toEqual(expect.any(String));
  expect(received[2]?.key).toBe(received[1]?.key);
  expect(run.timeline.map(({ node, starts }: any) => `${node} ${starts}`)).toContain('APIRequest-1 1');
  // Stored once, without a person's decision.
  const sessions = await requesting.client.json<any>(`/api/v1/flows/${requesting.flow}/sessions`);
  expect(sessions.body.sessions).toMatchObject([{ id: 'default', name: 'remember me', messages: 1 }]);
});

it('a run whose server was killed while it stored a message goes on, and the message is stored once', async () => {
  expect((await completed(keeping)).undecided).toEqual([]);
  expect(await eventsOf(keeping)).toContain('run_resumed');
  const { body } = await keeping.client.json<any>(`/api/v1/flows/${keeping.flow}/sessions/letters/messages`);
  expect(body.messages.map(({ text }: any) => text)).toEqual(['the letter']);
});

it('a run whose server was killed in an ingestion embeds only the texts whose vectors were not stored', async () => {
  await completed(ingesting);
  // The third request had no answer, so its texts are sent again.
  expect(embedded().slice(0, 3).flat()).toEqual(TEXTS.slice(0, 3 * BATCH));
  expect(embedded().slice(3).flat()).toEqual(TEXTS.slice(2 * BATCH));
  // Embedding may have been paid for twice, and the run says so.
  expect(await eventsOf(ingesting)).toContain('event: step_repeated\n');
  const { body } = await ingesting.client.json<any>('/api/v1/collections');
  expect(body.collections).toMatchObject([
    { name: 'documents', embedder: 'OpenAI compatible/embed-model', chunks: 400 },
  ]);
});
