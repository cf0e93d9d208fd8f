import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { memoryDir } from '@croft/workspace/testing';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyNewDatabase } from '../testing-database.ts';
import { ASKS, requestFlow } from '../testing-flows.ts';
import { startTestServer, storeFlow, type TestServer, type Visitor } from '../testing.ts';

const CANARY = 'canary of a queued message';
const TOKEN = 'canary-of-a-queued-token';

let baseDir: string;
let server: TestServer;
let database: pg.Client;
let alice: Visitor;
/** A service that answers `/held` only when the test says so. */
let service: Server;
let host: string;
let held: ServerResponse[] = [];
let holds = true;
const paths: string[] = [];

async function start(): Promise<void> {
  server = await startTestServer({ baseDir, flowHosts: [host] });
  await server.running.ready;
  database = new pg.Client({ host: join(baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
  await database.connect();
}

async function stop(): Promise<void> {
  await database?.end();
  await server?.stop();
}

beforeAll(async () => {
  service = createServer((request, response) => {
    paths.push(request.url ?? '');
    if (holds && request.url === '/held') held.push(response);
    else response.end(JSON.stringify({ said: request.headers.authorization ?? 'hello' }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  baseDir = mkdtempSync(join(memoryDir(), 'croft-queued-'));
  // Without the tables of runs, which other test servers have from the start.
  await copyNewDatabase(baseDir);
  await start();
  alice = await server.addUser('alice');
});
afterAll(async () => {
  await stop();
  service?.closeAllConnections();
  service?.close();
  rmSync(baseDir, { recursive: true, force: true, maxRetries: 5 });
});

const credentialsOf = (name: string) => ({ email: `${name}@example.test`, password: `password of ${name}` });

const flowTo = (path: string) => requestFlow(`http://${host}${path}`, '  R.credential: API_TOKEN\n');

/** The id of each node is its type. */
const store = (by: Visitor, named: string) => storeFlow(by, named, (type) => type);

const queue = (by: Visitor, id: string, json: object = {}) =>
  by.json<any>(`/api/v1/flows/${id}/runs`, { method: 'POST', json });
const getRun = async (id: string, by = alice) => (await by.json<any>(`/api/v1/runs/${id}`)).body.run;
const statusOf = async (id: string, by = alice) => (await getRun(id, by)).status;
const ended = (id: string) => expect.poll(() => statusOf(id));

async function readEvents(id: string, after?: string): Promise<EventSourceMessage[]> {
  const headers = after === undefined ? {} : { 'last-event-id': after };
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => events.push(event) }).feed(
    await (await alice.request(`/api/v1/runs/${id}/events`, { headers })).text(),
  );
  return events;
}

const hasTables = async () =>
  (await database.query("SELECT to_regnamespace('croft_runs') IS NOT NULL AS there")).rows[0].there;

it('a server without queued runs opens no queue', async () => {
  const direct = await store(alice, 'chat');
  await alice.json(`/api/v1/flows/${direct}/run`, { method: 'POST', json: { message: 'Say "hi"' } });
  expect((await alice.json('/api/v1/runs')).status).toBe(200);
  for (const method of ['GET', 'DELETE'])
    expect((await alice.json('/api/v1/runs/f9b2f3f0-0000-4000-8000-000000000000', { method })).status).toBe(404);
  expect(await hasTables()).toBe(false);
});

it('a queued run is in one history with direct runs, and its events are followed by id', async () => {
  const flow = await store(alice, 'chat');
  const message = `Say "${CANARY}"`;
  const ask = { message, requestKey: 'once', from: 'canvas' };
  const queued = await queue(alice, flow, ask);
  expect(queued.status).toBe(202);
  expect((await queue(alice, flow, ask)).body).toEqual(queued.body);
  const { id } = queued.body;
  await ended(id).toBe('completed');
  const direct = await alice.json<any>(`/api/v1/flows/${flow}/run`, { method: 'POST', json: { message } });
  const run = await getRun(id);
  expect(run).toMatchObject({ flowId: flow, flowName: 'Chat', source: 'api', startedBy: 'canvas', failure: null });
  expect(run.timelineIsCut).toBe(false);
  expect(run.text).toContain(CANARY);
  expect(run.outputs.ChatOutput.message).toBeDefined();
  expect(run.timeline.map((entry: any) => [entry.node, entry.status])).toEqual(
    ['ChatInput', 'LanguageModelComponent', 'ChatOutput'].map((node) => [node, 'finished']),
  );
  const starts = run.timeline.map((entry: any) => entry.startedMs);
  expect(starts).toEqual(starts.map(() => expect.any(Number)));
  expect(starts).toEqual(starts.toSorted((a: number, b: number) => a - b));
  const byState = async (status: string) =>
    (await alice.json<any>(`/api/v1/runs?flow=${flow}&status=${status}`)).body.runs.map((each: any) => each.id);
  expect(await byState('completed')).toEqual([direct.body.id, id]);
  expect([await byState('failed'), await byState('interrupted'), await byState('queued')]).toEqual([[], [], []]);

  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await alice.json<any>(`/api/v1/runs?flow=${flow}&limit=1${cursor}`);
    found.push(...body.runs.map((each: any) => `${each.source} ${each.id}`));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(found).toEqual([`direct ${direct.body.id}`, `api ${id}`]);
  const { body: page } = await alice.json<any>(`/api/v1/runs?flow=${flow}`);
  expect(page.runs.map((each: any) => each.input)).toEqual([message, message]);
  expect(run.input).toBe(message);

  const all = await readEvents(id);
  expect(all[0]).toMatchObject({ event: 'run', id: `${id}.0` });
  expect(all.at(-1)?.event).toBe('run_finished');
  expect(await readEvents(id, all[2]?.id)).toEqual(all.slice(3));
  expect((await readEvents(id, 'other.1')).map(({ event }) => event)).toEqual([
    'reset',
    ...all.slice(1).map(({ event }) => event),
  ]);
  expect((await alice.json(`/api/v1/runs/${id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await alice.json(`/api/v1/runs/${id}`)).status).toBe(404);
});

it('a run goes on after a restart of the server, and its reader resumes by id', async () => {
  await alice.json('/api/v1/variables/API_TOKEN', {
    method: 'PUT',
    json: { value: TOKEN, hosts: [`http://${host}`] },
  });
  const flow = await store(alice, flowTo('/held'));
  const { id } = (await queue(alice, flow)).body;
  await expect.poll(() => held.length).toBe(1);
  // The stream of a stopped server ends, and the reader keeps the id of its last event.
  const reading = readEvents(id);
  await expect.poll(async () => (await getRun(id)).timeline.length).toBeGreaterThan(0);
  await stop();
  const before = await reading;
  expect(before.map(({ event }) => event)).not.toContain('run_finished');
  held = [];
  holds = false;

  await start();
  const { email, password } = credentialsOf('alice');
  alice = await server.signIn(email, password);
  const after = await readEvents(id, before.at(-1)?.id);
  const all = [...before, ...after];
  expect(all.map((event) => event.id)).toEqual(all.map((_, index) => `${id}.${index}`));
  expect(after.map(({ event }) => event)).toContain('run_resumed');
  expect(after.at(-1)?.event).toBe('run_finished');
  expect(await getRun(id)).toMatchObject({ status: 'completed', text: expect.stringContaining('***') });
  holds = true;
});

it('a queued run stores no message, result or secret in plain text', async () => {
  const flow = await store(alice, flowTo('/now'));
  await ended((await queue(alice, flow)).body.id).toBe('completed');
  const chat = await store(alice, 'chat');
  await ended((await queue(alice, chat, { message: `Say "${CANARY}"` })).body.id).toBe('completed');
  const { id } = (await queue(alice, chat, { message: `Say "${TOKEN}"` })).body;
  await ended(id).toBe('completed');
  expect((await getRun(id)).input).toBe('Say "***"');
  const { rows: tables } = await database.query(
    "SELECT schemaname AS schema, tablename AS name FROM pg_tables WHERE schemaname IN ('croft_runs', 'croft_dbos')",
  );
  let stored = '';
  for (const { schema, name } of tables)
    stored += JSON.stringify((await database.query(`SELECT * FROM ${schema}."${name}"`)).rows);
  expect(stored).toContain('Request');
  for (const secret of [CANARY, TOKEN]) expect(stored.includes(secret) ? secret : 'absent').toBe('absent');
});

it('a frozen component does not run again after a restart, unless its inputs change, and is stored encrypted', async () => {
  const id = await store(alice, `${flowTo('/frozen')}`);
  const edit = async (...edits: readonly object[]) => {
    const { version } = (await alice.json<any>(`/api/v1/flows/${id}`)).body.flow;
    const json = { base: version, edits };
    expect((await alice.json(`/api/v1/flows/${id}/edits`, { method: 'POST', json })).status).toBe(200);
  };
  await edit({ kind: 'set_run_options', id: 'APIRequest', run: { frozen: true } });
  const sent = () => paths.filter((path) => path.startsWith('/frozen'));
  const run = async () => {
    const { status, body } = await alice.json<any>(`/api/v1/flows/${id}/run`, { method: 'POST', json: {} });
    expect([status, body.text]).toEqual([200, expect.stringContaining('***')]);
  };
  await run();
  await run();
  expect(sent()).toEqual(['/frozen']);
  const { rows } = await database.query('SELECT * FROM frozen_output');
  expect(rows).toHaveLength(1);
  for (const secret of [TOKEN, 'said']) expect(JSON.stringify(rows)).not.toContain(secret);
  await stop();
  await start();
  const { email, password } = credentialsOf('alice');
  alice = await server.signIn(email, password);
  await run();
  await ended((await queue(alice, id)).body.id).toBe('completed');
  expect(sent()).toEqual(['/frozen']);
  await edit({ kind: 'configure', id: 'APIRequest', values: { url_input: `http://${host}/frozen?2` } });
  await run();
  expect(sent()).toEqual(['/frozen', '/frozen?2']);
  expect((await alice.json(`/api/v1/flows/${id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await database.query('SELECT 1 FROM frozen_output')).rows).toEqual([]);
});

it('a paused run is listed, and goes on after its user approves or rejects', async () => {
  const flow = await store(alice, ASKS);
  const answer = (id: string, json: object) => alice.json<any>(`/api/v1/runs/${id}/answer`, { method: 'POST', json });
  for (const [choice, outcome] of [
    ['approve', 'finished'],
    ['reject', 'pruned'],
  ]) {
    const { id } = (await queue(alice, flow, { message: 'send the letter' })).body;
    await ended(id).toBe('waiting');
    expect((await alice.json<any>('/api/v1/runs?status=waiting')).body.runs).toMatchObject([{ id, status: 'waiting' }]);
    if (choice === 'approve') {
      const follow = () => alice.request(`/api/v1/runs/${id}/events`);
      // The responses are kept: fetch closes the stream of a response that is garbage.
      const streams: Response[] = [];
      while (streams.length < 20) streams.push(await follow());
      expect(streams.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect((await follow()).status).toBe(429);
      for (const { body } of streams) await body?.cancel();
    }
    const [question] = (await getRun(id)).questions;
    expect(question).toMatchObject({ node: 'HumanApproval', options: ['approve', 'reject'], answer: null });
    expect(JSON.stringify(question.context)).toContain('send the letter');
    const { key } = question;
    expect((await answer(id, { key, choice: 'maybe' })).status).toBe(400);
    expect((await answer(id, { key: 'other', choice })).status).toBe(404);
    expect((await answer(id, { key, choice })).status).toBe(200);
    await ended(id).toBe('completed');
    expect((await answer(id, { key, choice })).status).toBe(409);
    const { timeline } = await getRun(id);
    expect(timeline.find(({ node }: any) => node === 'ChatOutput').status).toBe(outcome);
    const decided = { method: 'POST', json: { key, decision: 'skip' } };
    expect((await alice.json(`/api/v1/runs/${id}/decide`, decided)).status).toBe(409);
  }
});

it('a paused run waits through a restart of the server, and goes on with the answer', async () => {
  const flow = await store(alice, ASKS);
  const { id } = (await queue(alice, flow, { message: 'send the letter' })).body;
  await ended(id).toBe('waiting');
  const before = await getRun(id);
  await stop();
  await start();
  const { email, password } = credentialsOf('alice');
  alice = await server.signIn(email, password);
  expect(await getRun(id)).toEqual(before);
  const [{ key }] = before.questions;
  const answer = { key, choice: 'approve', comment: 'yes' };
  expect((await alice.json(`/api/v1/runs/${id}/answer`, { method: 'POST', json: answer })).status).toBe(200);
  await ended(id).toBe('completed');
  const run = await getRun(id);
  expect(run).toMatchObject({
    text: 'send the letter',
    questions: [{ key, answer: { choice: 'approve', comment: 'yes' } }],
  });
  const started = (await readEvents(id)).filter(({ event }) => event === 'run_started' || event === 'run_resumed');
  expect(started.map(({ event }) => event)).toEqual(['run_started', 'run_resumed']);
});

it('a queued run is cancelled by its user, and when its user is disabled', async () => {
  const waits = await store(alice, flowTo('/held'));
  const { id } = (await queue(alice, waits)).body;
  await expect.poll(() => held.length).toBe(1);
  expect((await alice.json(`/api/v1/runs/${id}/cancel`, { method: 'POST', json: {} })).status).toBe(200);
  await ended(id).toBe('cancelled');
  expect(JSON.parse((await readEvents(id)).at(-1)?.data ?? '')).toMatchObject({
    kind: 'run_finished',
    status: 'cancelled',
  });

  const carol = await server.addUser('carol');
  const hers = (await queue(carol, await store(carol, flowTo('/held').replace(/\n.*credential.*/, '')))).body.id;
  await expect.poll(() => held.length).toBe(2);
  const admin = await server.signInAdmin();
  const { body } = await admin.json<any>('/api/v1/users');
  const { id: carolId } = body.users.find(({ email }: any) => email === credentialsOf('carol').email);
  await admin.json(`/api/v1/users/${carolId}`, { method: 'PATCH', json: { disabled: true } });
  const stored = async () =>
    (await database.query('SELECT status FROM croft_runs.run WHERE id = $1', [hers])).rows[0].status;
  await expect.poll(stored).toBe('cancelled');
});

it('starts no more runs of a user than allowed by requests at once', async () => {
  const bob = await server.addUser('bob');
  const flow = await store(bob, ASKS);
  await database.query(
    `INSERT INTO croft_runs.run (id, user_id, flow_name, source, status, flow, request)
     SELECT 'kept ' || n, id, 'Kept', 'api', 'waiting', '', '' FROM "user", generate_series(1, 1999) AS n
     WHERE email = 'bob@example.test'`,
  );
  const started = await Promise.all(Array.from({ length: 8 }, () => queue(bob, flow)));
  expect(started.map(({ status }) => status).sort()).toEqual([202, ...Array(7).fill(429)]);
  await database.query("DELETE FROM croft_runs.run WHERE id LIKE 'kept %'");
});
