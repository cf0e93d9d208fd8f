import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoryDir } from '@croft/workspace/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import type { Settings } from '../config/settings.ts';
import { type Ask, startTestServer, storeFlow, type TestServer, type Visitor } from '../testing.ts';
import { takesBody } from '../testing-flows.ts';

/** Gives the name of the body, after a word of the query. */
const GREETING = takesBody('Hello {name}');
const HOST_HEADERS = ['host', 'content-type', 'content-length', 'accept', 'accept-encoding', 'accept-language'];

const baseDir = fileDir(memoryDir());
let server: TestServer;
let database: pg.Client;
let admin: Visitor;
let other: Visitor;
/** Secrets of all webhooks that the tests made. */
const secrets: string[] = [];

const OTHER = { name: 'other', email: 'other@example.test', password: 'password of other' };

async function start(settings: Partial<Settings> = {}): Promise<void> {
  server = await startTestServer({ baseDir, ...settings });
  await server.running.ready;
  database = new pg.Client({ host: join(baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
  await database.connect();
  admin = await server.signInAdmin();
}

async function stop(): Promise<void> {
  await database?.end();
  await server?.stop();
}

beforeAll(async () => {
  await start();
  await admin.json('/api/v1/users', { method: 'POST', json: OTHER });
  other = await server.signIn(OTHER.email, OTHER.password);
});
afterAll(stop);

const ask = (by: Visitor, method: string, path: string, json: object = {}) =>
  by.json<any>(path, method === 'GET' ? {} : { method, json });

const store = (by = admin, spec = GREETING) => storeFlow(by, spec, (type) => type);

async function addWebhook(by = admin, spec = GREETING) {
  const flow = await store(by, spec);
  const { status, body } = await ask(by, 'POST', `/api/v1/flows/${flow}/webhooks`, { name: 'orders' });
  expect(status).toBe(201);
  secrets.push(body.secret);
  return { flow, secret: body.secret as string, id: body.webhook.id as string };
}

/** A request of another system. */
async function post(id: string, { headers, body = '{"name":"Ada"}', query = '' }: Sent) {
  const answer = await fetch(`${server.url}/hooks/${id}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as any };
}
interface Sent extends Pick<Ask, 'headers'> {
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly query?: string;
}

const withSecret = (secret: string) => ({ authorization: `Bearer ${secret}` });

function signed(secret: string, id: string, at = Date.now(), body = '{"name":"Ada"}') {
  const time = String(Math.floor(at / 1_000));
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  return {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${mac.update(`${id}.${time}.${body}`).digest('base64')}`,
  };
}

const runOf = async (id: string, by = admin) => (await by.json<any>(`/api/v1/runs/${id}`)).body.run;
const ended = async (id: string, by = admin) => {
  await expect.poll(async () => (await runOf(id, by)).status).toBe('completed');
  return runOf(id, by);
};
const runsOf = async (flow: string, by = admin) => (await by.json<any>(`/api/v1/runs?flow=${flow}`)).body.runs;
const infoOf = async (id: string, by = admin) =>
  (await by.json<any>('/api/v1/webhooks')).body.webhooks.find((each: any) => each.id === id);

/** Adds rows of webhooks that are off to a flow with a webhook. */
const fill = (flow: string, rows: number) =>
  database.query(
    `INSERT INTO webhook (id, user_id, flow_id, name, is_on, sealed, key_id)
     SELECT gen_random_uuid(), user_id, flow_id, name, false, sealed, key_id
     FROM (SELECT * FROM webhook WHERE flow_id = $1 LIMIT 1) AS one, generate_series(1, $2)`,
    [flow, rows],
  );

it('a user gets no more webhooks than allowed by asking for many at once', async () => {
  const flow = await store(other);
  const path = `/api/v1/flows/${flow}/webhooks`;
  expect((await ask(other, 'POST', path)).status).toBe(201);
  await fill(flow, 89);
  const added = await Promise.all(Array.from({ length: 20 }, () => ask(other, 'POST', path)));
  expect(added.filter(({ status }) => status === 201)).toHaveLength(10);
  await ask(other, 'DELETE', `/api/v1/flows/${flow}`);
});

it('a request with the secret queues a run with its body, query and headers without secrets', async () => {
  const { flow, id, secret } = await addWebhook();
  expect(await infoOf(id)).toMatchObject({
    flowId: flow,
    name: 'orders',
    path: `/hooks/${id}`,
    isOn: true,
    lastRun: null,
  });
  expect(JSON.stringify(await infoOf(id))).not.toContain(secret);
  const canaries = { cookie: 'canary-cookie', 'x-api-key': 'canary-key', 'x-webhook-key': 'canary' };
  const headers = { ...withSecret(secret), ...canaries, 'x-event': 'order' };
  const sent = await post(id, { headers, query: `?shop=7&tag=a&tag=b&token=${secret}` });
  expect(sent.status).toBe(202);
  const run = await ended(sent.body.id);
  expect(run).toMatchObject({ source: 'webhook', startedBy: 'webhook', flowId: flow, text: 'Hello Ada' });
  const { outputs } = run.timeline.find(({ node }: any) => node === 'Webhook');
  expect(outputs).toMatchObject({ output_data: { name: 'Ada' }, query: { shop: '7', tag: ['a', 'b'] } });
  expect(
    Object.keys(outputs.headers)
      .filter((name) => !HOST_HEADERS.includes(name))
      .sort(),
  ).toEqual(expect.arrayContaining(['x-event']));
  expect(JSON.stringify(run)).not.toContain('canary');
  expect(outputs.query).not.toHaveProperty('token');
  expect(await infoOf(id)).toMatchObject({ lastRun: sent.body.id, lastAt: expect.any(String), failure: null });

  const hub = createHmac('sha256', secret).update('{"name":"Hub"}').digest('hex');
  const github = await post(id, { headers: { 'x-hub-signature-256': `sha256=${hub}` }, body: '{"name":"Hub"}' });
  expect((await ended(github.body.id)).text).toBe('Hello Hub');
});

it('a repeated delivery gives the same run, also two at once, and a recorded request is refused later', async () => {
  const { flow, id, secret } = await addWebhook();
  const headers = signed(secret, 'm1');
  const both = await Promise.all([post(id, { headers }), post(id, { headers })]);
  expect(both.map(({ status }) => status)).toEqual([202, 202]);
  expect(both[0]?.body).toEqual(both[1]?.body);
  expect((await post(id, { headers })).body).toEqual(both[0]?.body);
  const keyed = { ...withSecret(secret), 'idempotency-key': 'k' };
  expect((await post(id, { headers: keyed })).body).toEqual((await post(id, { headers: keyed })).body);
  expect(await runsOf(flow)).toHaveLength(2);
  // The same delivery of another webhook is another one.
  const second = await addWebhook();
  const elsewhere = await post(second.id, { headers: { ...withSecret(second.secret), 'idempotency-key': 'k' } });
  expect((await runOf(elsewhere.body.id)).flowId).toBe(second.flow);

  const old = signed(secret, 'm2', Date.now() - 600_000);
  expect((await post(id, { headers: old })).status).toBe(404);
  expect((await post(id, { headers: { ...headers, 'webhook-id': 'm3' } })).status).toBe(404);
  expect(await runsOf(flow)).toHaveLength(2);
});

it('an unknown webhook, one that is off and a wrong secret look the same', async () => {
  const { flow, id, secret } = await addWebhook();
  const unknown = await post('AAAAAAAAAAAAAAAAAAAAAA', { headers: withSecret(secret) });
  expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect(await post(id, {})).toEqual(unknown);
  expect(await post(id, { headers: withSecret(`${secret}x`) })).toEqual(unknown);
  expect(await post(id, { headers: signed(secret, 'm1', Date.now(), '{"name":"Eve"}') })).toEqual(unknown);
  const foreign = await addWebhook();
  expect(await post(id, { headers: withSecret(foreign.secret) })).toEqual(unknown);

  const set = (json: object) => ask(admin, 'PATCH', `/api/v1/webhooks/${id}`, json);
  expect((await set({ isOn: false, name: 'paused' })).body.webhook).toMatchObject({ isOn: false, name: 'paused' });
  expect(await post(id, { headers: withSecret(secret) })).toEqual(unknown);
  expect((await set({ isOn: true })).body.webhook).toMatchObject({ isOn: true, name: 'paused' });
  expect((await post(id, { headers: withSecret(secret) })).status).toBe(202);

  const rotated = await ask(admin, 'POST', `/api/v1/webhooks/${id}/secret`);
  secrets.push(rotated.body.secret);
  expect(await post(id, { headers: withSecret(secret) })).toEqual(unknown);
  expect((await post(id, { headers: withSecret(rotated.body.secret) })).status).toBe(202);
  expect(await runsOf(flow)).toHaveLength(2);

  expect((await ask(admin, 'DELETE', `/api/v1/webhooks/${id}`)).status).toBe(200);
  expect(await post(id, { headers: withSecret(rotated.body.secret) })).toEqual(unknown);
});

it('a webhook is deleted with its flow, and takes nothing while its user is disabled', async () => {
  const { flow, id, secret } = await addWebhook();
  await ask(admin, 'POST', `/api/v1/webhooks/${id}/listener`);
  expect((await ask(admin, 'DELETE', `/api/v1/flows/${flow}`)).status).toBe(200);
  expect(await infoOf(id)).toBeUndefined();
  expect((await post(id, { headers: withSecret(secret) })).status).toBe(404);
  expect((await database.query('SELECT FROM webhook_listener WHERE webhook_id = $1', [id])).rows).toEqual([]);

  const hers = await addWebhook(other);
  const { users } = (await ask(admin, 'GET', '/api/v1/users')).body;
  const path = `/api/v1/users/${users.find(({ email }: any) => email === OTHER.email).id}`;
  await ask(admin, 'PATCH', path, { disabled: true });
  expect((await post(hers.id, { headers: withSecret(hers.secret) })).status).toBe(404);
  await ask(admin, 'PATCH', path, { disabled: false });
  other = await server.signIn(OTHER.email, OTHER.password);
  const sent = await post(hers.id, { headers: withSecret(hers.secret) });
  expect((await ended(sent.body.id, other)).text).toBe('Hello Ada');
});

it('webhooks of another user cannot be seen, changed or listened to, and a key makes and turns on none', async () => {
  const { flow, id, secret } = await addWebhook();
  await ask(admin, 'POST', `/api/v1/webhooks/${id}/listener`);
  expect((await ask(other, 'GET', '/api/v1/webhooks')).body.webhooks.map((each: any) => each.id)).not.toContain(id);
  const listener = `/api/v1/webhooks/${id}/listener`;
  const attempts: [string, string, object?][] = [
    ['POST', `/api/v1/flows/${flow}/webhooks`],
    ['PATCH', `/api/v1/webhooks/${id}`, { isOn: false }],
    ['POST', `/api/v1/webhooks/${id}/secret`],
    ['POST', listener],
    ['GET', listener],
    ['DELETE', listener],
    ['DELETE', `/api/v1/webhooks/${id}`],
  ];
  for (const [method, path, json] of attempts) {
    expect([method, path, (await ask(other, method, path, json)).status]).toEqual([method, path, 404]);
    expect((await ask(server.stranger, method, path, json)).status).toBe(401);
  }
  expect((await post(id, { headers: withSecret(secret) })).body).toEqual({ captured: true });

  const made = await ask(admin, 'POST', '/api/v1/keys', { name: 'agent' });
  const key = server.withKey(made.body.secret);
  for (const path of [`/api/v1/flows/${flow}/webhooks`, `/api/v1/webhooks/${id}/secret`])
    expect(await ask(key, 'POST', path)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect((await ask(key, 'PATCH', `/api/v1/webhooks/${id}`, { isOn: true })).status).toBe(403);
  expect((await ask(key, 'GET', `/api/v1/webhooks?flow=${flow}`)).body.webhooks).toMatchObject([{ id }]);
});

it('a body that is too large is refused for known and unknown webhooks, and text arrives as it is', async () => {
  const { flow, id, secret } = await addWebhook();
  const body = 'x'.repeat(1024 * 1024 + 1);
  const refused = await post(id, { headers: withSecret(secret), body });
  expect(refused).toMatchObject({ status: 413, body: { error: { code: 'too_large' } } });
  expect(await post('unknown', { body })).toEqual(refused);
  expect(await runsOf(flow)).toEqual([]);

  const text = await post(id, { headers: { ...withSecret(secret), 'content-type': 'text/plain' }, body: 'plain' });
  // The flow names a value that a text does not have.
  await expect.poll(async () => (await runOf(text.body.id)).status).toBe('failed');
  const { timeline } = await runOf(text.body.id);
  expect(timeline.find(({ node }: any) => node === 'Webhook').outputs.output_data).toEqual({ payload: 'plain' });
});

it('a flow that cannot run tells its owner why, and not the sender', async () => {
  const { flow, id, secret } = await addWebhook(admin, 'name: Empty\nnodes:\n  I: TextInput\n');
  const sent = await post(id, { headers: withSecret(secret) });
  expect(sent).toMatchObject({ status: 422, body: { error: { code: 'run_failed' } } });
  expect(JSON.stringify(sent)).not.toContain('component');
  expect(await infoOf(id)).toMatchObject({ failure: expect.stringContaining('no component Webhook'), lastRun: null });

  await ask(admin, 'PUT', `/api/v1/flows/${flow}/shares`, { user: OTHER.email, access: 'read' });
  const theirs = (await ask(other, 'POST', `/api/v1/flows/${flow}/webhooks`)).body;
  secrets.push(theirs.secret);
  const { users } = (await ask(admin, 'GET', '/api/v1/users')).body;
  const otherId = users.find(({ email }: any) => email === OTHER.email).id;
  await ask(admin, 'DELETE', `/api/v1/flows/${flow}/shares/${otherId}`);
  expect((await post(theirs.webhook.id, { headers: withSecret(theirs.secret) })).status).toBe(422);
  expect((await infoOf(theirs.webhook.id, other)).failure).toContain('not shared');
});

const edited = async (by: Visitor, flow: string, pattern: string) => {
  const { version, document } = (await ask(by, 'GET', `/api/v1/flows/${flow}`)).body.flow;
  const { id } = document.nodes.find(({ type }: any) => type === 'ParserComponent');
  const edits = [{ kind: 'configure', id, values: { pattern } }];
  expect((await ask(by, 'POST', `/api/v1/flows/${flow}/edits`, { base: version, edits })).status).toBe(200);
};

it('runs nothing that another user has changed, until its owner has seen it and turns it on', async () => {
  const { flow, id, secret } = await addWebhook();
  const deliver = (to = id, with_ = secret) => post(to, { headers: withSecret(with_) });
  const textOf = async (sent: Awaited<ReturnType<typeof deliver>>, by = admin) => (await ended(sent.body.id, by)).text;
  await ask(admin, 'PUT', `/api/v1/flows/${flow}/shares`, { user: OTHER.email, access: 'edit' });
  await edited(admin, flow, 'Welcome {name}');
  expect(await textOf(await deliver())).toBe('Welcome Ada');

  const theirs = (await ask(other, 'POST', `/api/v1/flows/${flow}/webhooks`, { version: 2 })).body;
  secrets.push(theirs.secret);
  await edited(other, flow, 'Stolen {name}');
  expect((await deliver()).status).toBe(422);
  expect((await infoOf(id)).failure).toContain('Another user changed the flow');
  expect(await textOf(await deliver(theirs.webhook.id, theirs.secret), other)).toBe('Stolen Ada');

  // An edit on top of it approves nothing, and neither does a new secret or name.
  await edited(admin, flow, 'Hello {name}');
  const rotated = (await ask(admin, 'POST', `/api/v1/webhooks/${id}/secret`)).body.secret;
  secrets.push(rotated);
  await ask(admin, 'PATCH', `/api/v1/webhooks/${id}`, { name: 'renamed' });
  expect((await deliver(id, rotated)).status).toBe(422);
  expect((await deliver(theirs.webhook.id, theirs.secret)).status).toBe(422);

  const set = (json: object) => ask(admin, 'PATCH', `/api/v1/webhooks/${id}`, json);
  const accepted = async () => (await ask(admin, 'GET', `/api/v1/flows/${flow}/acceptance`)).body.accepted;
  expect((await set({ isOn: false, version: 4 })).status).toBe(200);
  expect((await set({ isOn: true })).status).toBe(200);
  const stale = await set({ isOn: true, version: 2 });
  expect(stale).toMatchObject({ status: 409, body: { error: { code: 'changed' } } });
  const again = await ask(admin, 'POST', `/api/v1/flows/${flow}/webhooks`, { version: 2 });
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'changed' } } });
  expect(await accepted()).toBe(2);
  const switched = await set({ isOn: true, version: 4 });
  expect(switched.body.webhook.failure).toBeNull();
  expect(await accepted()).toBe(4);
  expect(await textOf(await deliver(id, rotated))).toBe('Hello Ada');
});

it('is not turned on, and accepts nothing, for a flow that is not shared any more', async () => {
  const flow = await store();
  const share = () => ask(admin, 'PUT', `/api/v1/flows/${flow}/shares`, { user: OTHER.email, access: 'read' });
  const { userId } = (await share()).body.share;
  const { webhook, secret } = (await ask(other, 'POST', `/api/v1/flows/${flow}/webhooks`, { version: 1 })).body;
  secrets.push(secret);
  await edited(admin, flow, 'Stolen {name}');
  await ask(admin, 'DELETE', `/api/v1/flows/${flow}/shares/${userId}`);
  const set = (json: object) => ask(other, 'PATCH', `/api/v1/webhooks/${webhook.id}`, json);
  for (const json of [{ isOn: true }, { isOn: true, version: 2 }]) expect((await set(json)).status).toBe(404);
  expect((await set({ isOn: false })).status).toBe(200);
  await share();
  const acceptance = (await ask(other, 'GET', `/api/v1/flows/${flow}/acceptance`)).body;
  expect(acceptance).toEqual({ version: 2, accepted: 1, changedBy: 'admin' });
  await ask(other, 'DELETE', `/api/v1/webhooks/${webhook.id}`);
});

it('a restored flow brings no user above the limit of webhooks', async () => {
  const [kept, gone] = [await store(other), await store(other)];
  for (const flow of [gone, kept]) {
    expect((await ask(other, 'POST', `/api/v1/flows/${flow}/webhooks`)).status).toBe(201);
    await fill(flow, 59);
    if (flow === gone) await ask(other, 'DELETE', `/api/v1/flows/${gone}`);
  }
  const restore = () => ask(other, 'POST', `/api/v1/deleted-flows/${gone}/restore`);
  const before = (await ask(other, 'GET', '/api/v1/webhooks')).body.webhooks;
  expect(before.length).toBeGreaterThanOrEqual(60);
  expect(await restore()).toMatchObject({ status: 507, body: { error: { code: 'quota_exceeded' } } });
  const added = before.filter(({ flowId }: { flowId: string }) => flowId === kept);
  expect(added).toHaveLength(60);
  for (const { id } of added.slice(0, before.length + 60 - 100)) {
    expect((await ask(other, 'DELETE', `/api/v1/webhooks/${id}`)).status).toBe(200);
  }
  expect((await restore()).status).toBe(200);
  expect((await ask(other, 'GET', '/api/v1/webhooks')).body.webhooks).toHaveLength(100);
  for (const flow of [kept, gone]) await ask(other, 'DELETE', `/api/v1/flows/${flow}`);
});

it('a listener gets the next request, which starts no run, and later ones run', async () => {
  const { flow, id, secret } = await addWebhook();
  const path = `/api/v1/webhooks/${id}/listener`;
  const headers = { ...withSecret(secret), 'x-event': 'order' };
  expect((await ask(admin, 'GET', path)).status).toBe(404);
  expect((await ask(admin, 'POST', path, { seconds: 60 })).status).toBe(200);
  expect((await ask(admin, 'GET', path)).body).toMatchObject({ status: 'waiting', request: null });
  expect((await post(id, { headers: withSecret('wrong') })).status).toBe(404);
  const waiting = ask(admin, 'GET', `${path}?wait=25`);
  const [first, second] = await Promise.all([1, 2].map(() => post(id, { headers, query: '?shop=7' })));
  expect([first?.status, second?.status].sort()).toEqual([200, 202]);
  const { body } = await waiting;
  expect(body).toMatchObject({
    status: 'captured',
    request: { data: { name: 'Ada' }, query: { shop: '7' }, headers: { 'x-event': 'order' } },
  });
  expect(body.request.headers.authorization).toBeUndefined();
  expect(await runsOf(flow)).toHaveLength(1);

  await ask(admin, 'POST', path);
  expect((await ask(admin, 'GET', path)).body).toMatchObject({ status: 'waiting', request: null });
  await database.query('UPDATE webhook_listener SET expires_at = now() WHERE webhook_id = $1', [id]);
  expect((await ask(admin, 'GET', `${path}?wait=25`)).body).toMatchObject({ status: 'expired', request: null });
  expect((await post(id, { headers })).status).toBe(202);
  expect((await ask(admin, 'DELETE', path)).status).toBe(200);
  expect((await ask(admin, 'GET', path)).status).toBe(404);
});

it('the secret and a captured request survive a restart and a new secret key, and are in no log, table, event or export', async () => {
  const { flow, id, secret } = await addWebhook();
  const path = `/api/v1/webhooks/${id}/listener`;
  await ask(admin, 'POST', path);
  const body = '{"name":"canary-of-a-captured-request"}';
  expect((await post(id, { headers: withSecret(secret), body })).status).toBe(200);
  const { id: run } = (await post(id, { headers: withSecret(secret) })).body;
  await ended(run);
  const events = await (await admin.request(`/api/v1/runs/${run}/events`)).text();
  expect(events).toContain('run_finished');
  const exported = await (await admin.request(`/api/v1/flows/${flow}/export`)).text();
  const { rows: tables } = await database.query(
    "SELECT schemaname AS schema, tablename AS name FROM pg_tables WHERE schemaname IN ('public', 'croft_runs', 'croft_dbos')",
  );
  let stored = '';
  for (const { schema, name } of tables)
    stored += JSON.stringify((await database.query(`SELECT * FROM ${schema}."${name}"`)).rows);
  expect(stored).toContain(id);
  const everywhere = [stored, events, exported, ...server.lines].join('\n');
  const spellings = secrets.flatMap((each) => [each, each.slice('whsec_'.length), encodeURIComponent(each)]);
  expect(spellings.filter((each) => everywhere.includes(each))).toEqual([]);
  expect(stored).not.toContain('canary-of-a-captured-request');

  const old = readFileSync(join(baseDir, 'secret-key'), 'utf8').trim();
  await stop();
  await start({ secretKey: 'another key of this server, 32 characters', previousSecretKeys: [old] });
  expect((await ask(admin, 'GET', path)).body.request.data).toEqual(JSON.parse(body));
  expect((await post(id, { headers: withSecret(secret) })).status).toBe(202);
  await stop();
  await start({ secretKey: 'another key of this server, 32 characters' });
  expect((await post(id, { headers: withSecret(secret) })).status).toBe(202);
  // Without the key of what it captured.
  expect((await ask(admin, 'GET', path)).status).toBe(503);
});

it('a webhook whose secret cannot be read says so, and works with a new one', async () => {
  const { id, secret } = await addWebhook();
  const copied = await addWebhook();
  await database.query('UPDATE webhook SET sealed = (SELECT sealed FROM webhook WHERE id = $2) WHERE id = $1', [
    id,
    copied.id,
  ]);
  for (const each of [secret, copied.secret]) expect((await post(id, { headers: withSecret(each) })).status).toBe(404);
  expect((await infoOf(id)).failure).toContain('make a new secret');
  const { body } = await ask(admin, 'POST', `/api/v1/webhooks/${id}/secret`);
  expect((await post(id, { headers: withSecret(body.secret) })).status).toBe(202);
  expect((await infoOf(id)).failure).toBeNull();
});
