import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, storeFlow, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let database: pg.Client;
let admin: Visitor;
let other: Visitor;
let flow: string;

/** Gives the time at which it was started. */
const SPEC = `name: Hello\nnodes:\n  S: ScheduleTrigger\n  O: ChatOutput\nedges:\n  S.text -> O.input_value\n`;

beforeAll(async () => {
  server = await startTestServer();
  await server.running.ready;
  database = new pg.Client({ host: join(server.baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
  await database.connect();
  admin = await server.signInAdmin();
  other = await server.addUser('other');
  flow = await addFlow(admin);
});
afterAll(async () => {
  await database?.end();
  await server?.stop();
});

const send = (by: Visitor, method: string, path: string, json: object = {}) => by.json<any>(path, { method, json });
const list = async (by = admin) => (await by.json<any>('/api/v1/schedules')).body.schedules;

const storedSchedules = async () =>
  (await database.query('SELECT id FROM croft_runs.schedule ORDER BY id')).rows.map(({ id }) => id);

it('a user gets no more schedules than allowed by asking for many at once', async () => {
  const own = await addFlow(other);
  const path = `/api/v1/flows/${own}/schedules`;
  const add = () => send(other, 'POST', path, { cron: '0 9 * * *' });
  const first = await add();
  expect(first.status).toBe(201);
  await database.query(
    `INSERT INTO croft_runs.schedule (id, user_id, definition, worker_group, flow_id)
     SELECT gen_random_uuid(), user_id, definition, worker_group, flow_id
     FROM croft_runs.schedule, generate_series(1, 89) WHERE id = $1`,
    [first.body.id],
  );
  const added = await Promise.all(Array.from({ length: 20 }, add));
  expect(added.filter(({ status }) => status === 201)).toHaveLength(10);
  await send(other, 'DELETE', `/api/v1/flows/${own}`);
  expect(await list(other)).toEqual([]);
});

it('a schedule runs its flow at its times, is paused, and deleted; others do not see it', async () => {
  expect(await list()).toEqual([]);
  const path = `/api/v1/flows/${flow}/schedules`;
  const wrong = await send(admin, 'POST', path, { cron: 'often' });
  expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'invalid' } } });
  expect((await send(other, 'POST', path, { cron: '0 9 * * *' })).status).toBe(404);
  const added = await send(admin, 'POST', path, { cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin' });
  expect(added.status).toBe(201);
  const { id } = added.body;
  expect(await list()).toMatchObject([
    { id, flowId: flow, cron: '0 9 * * 1-5', isOn: true, missed: 'skip', nextAt: expect.any(String), lastRun: null },
  ]);

  expect(await list(other)).toEqual([]);
  const listed = async (by: Visitor, query = '') => (await by.json<any>(`/api/v1/flows${query}`)).body.flows;
  const triggers = { schedules: 1, webhooks: 0, hasLink: false, failure: null, nextAt: expect.any(String) };
  expect(await listed(admin, '?triggered=true')).toMatchObject([{ id: flow, triggers }]);
  expect(await listed(other, '?triggered=true')).toEqual([]);
  for (const method of ['PATCH', 'DELETE'])
    expect(
      (await send(other, method, `/api/v1/schedules/${id}`, method === 'PATCH' ? { isOn: false } : {})).status,
    ).toBe(404);

  // The time comes.
  await database.query("UPDATE croft_runs.schedule SET next_at = now() - interval '1 second' WHERE id = $1", [id]);
  await expect.poll(async () => (await list())[0].lastRun).toEqual(expect.any(String));
  const [{ lastRun, nextAt }] = await list();
  expect(new Date(nextAt).getTime()).toBeGreaterThan(Date.now());
  const status = async () => (await admin.json<any>(`/api/v1/runs/${lastRun}`)).body.run;
  await expect.poll(async () => (await status()).status).toBe('completed');
  expect(await status()).toMatchObject({
    source: 'schedule',
    startedBy: 'schedule',
    text: expect.stringMatching(/ Europe\/Berlin$/),
    flowId: flow,
  });

  expect((await send(admin, 'PATCH', `/api/v1/schedules/${id}`, { isOn: false })).status).toBe(200);
  expect(await list()).toMatchObject([{ id, isOn: false, nextAt: null, timeZone: 'Europe/Berlin' }]);
  expect(await listed(admin)).toMatchObject([{ id: flow, triggers: { schedules: 0, nextAt: null } }]);
  expect(await listed(admin, '?triggered=true')).toEqual([]);
  expect((await send(admin, 'DELETE', `/api/v1/schedules/${id}`)).status).toBe(200);
  expect(await list()).toEqual([]);
});

const addFlow = (by: Visitor) => storeFlow(by, SPEC, (type) => type);
const addSchedule = async (by: Visitor, flowId: string) =>
  (await send(by, 'POST', `/api/v1/flows/${flowId}/schedules`, { cron: '0 9 * * *' })).body.id as string;

it('a schedule is deleted with its flow, and with its user', async () => {
  const [kept, gone] = [await addFlow(admin), await addFlow(admin)];
  const keptId = await addSchedule(admin, kept);
  await addSchedule(admin, gone);
  await send(admin, 'PUT', `/api/v1/flows/${gone}/shares`, { user: 'other@example.test', access: 'read' });
  await addSchedule(other, gone);
  expect(await storedSchedules()).toHaveLength(3);
  expect((await send(admin, 'DELETE', `/api/v1/flows/${gone}`)).status).toBe(200);
  expect(await storedSchedules()).toEqual([keptId]);

  const json = { name: 'third', email: 'third@example.test', password: 'password of third' };
  const { body } = await send(admin, 'POST', '/api/v1/users', json);
  const third = await server.signIn(json.email, json.password);
  await addSchedule(third, await addFlow(third));
  expect(await storedSchedules()).toHaveLength(2);
  expect((await send(admin, 'DELETE', `/api/v1/users/${body.user.id}`)).status).toBe(200);
  expect(await storedSchedules()).toEqual([keptId]);

  // As an earlier build stored it: it goes at its next time.
  const old = await addFlow(admin);
  const oldId = await addSchedule(admin, old);
  await database.query('UPDATE croft_runs.schedule SET flow_id = NULL WHERE id = $1', [oldId]);
  await send(admin, 'DELETE', `/api/v1/flows/${old}`);
  expect(await storedSchedules()).toContain(oldId);
  await database.query("UPDATE croft_runs.schedule SET next_at = now() - interval '1 second' WHERE id = $1", [oldId]);
  await expect.poll(storedSchedules).toEqual([keptId]);
  await send(admin, 'DELETE', `/api/v1/schedules/${keptId}`);
});

it('a schedule keeps both of two changes at once, and a change brings no deleted one back', async () => {
  const id = await addSchedule(admin, await addFlow(admin));
  const change = (json: object) => send(admin, 'PATCH', `/api/v1/schedules/${id}`, json);
  const waiting = async () =>
    (await database.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount;

  // Both have read the schedule before one of them writes it.
  await database.query('BEGIN');
  await database.query('SELECT FROM croft_runs.schedule WHERE id = $1 FOR UPDATE', [id]);
  const changes = [change({ isOn: false }), change({ cron: '30 7 * * *' })];
  await expect.poll(waiting).toBe(2);
  await database.query('COMMIT');
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await list()).toMatchObject([{ id, isOn: false, cron: '30 7 * * *' }]);

  await database.query('BEGIN');
  await database.query('DELETE FROM croft_runs.schedule WHERE id = $1', [id]);
  const late = change({ isOn: true });
  await expect.poll(waiting).toBe(1);
  await database.query('COMMIT');
  expect((await late).status).toBe(404);
  expect(await list()).toEqual([]);
});

it('a schedule does not run what another user has changed, until its owner has seen it and turns it on', async () => {
  const own = await addFlow(admin);
  const id = await addSchedule(admin, own);
  const accepted = async () => (await admin.json<any>(`/api/v1/flows/${own}/acceptance`)).body.accepted;
  const add = (by: Visitor, more: object) =>
    send(by, 'POST', `/api/v1/flows/${own}/schedules`, { cron: '0 9 * * *', ...more });
  const set = (by: Visitor, json: object) => send(by, 'PATCH', `/api/v1/schedules/${id}`, json);
  await send(admin, 'PUT', `/api/v1/flows/${own}/shares`, { user: 'other@example.test', access: 'edit' });
  const edits = [{ kind: 'set_details', name: 'Changed' }];
  expect((await send(other, 'POST', `/api/v1/flows/${own}/edits`, { base: 1, edits })).status).toBe(200);
  const come = () =>
    database.query("UPDATE croft_runs.schedule SET next_at = now() - interval '1 second' WHERE id = $1", [id]);
  const state = async () => (await list()).find((each: any) => each.id === id);
  await come();
  await expect.poll(async () => (await state()).failure).toContain('Another user changed the flow');
  expect((await state()).lastRun).toBeNull();
  // Only a session accepts, only what it has seen, and only by turning the schedule on.
  expect((await set(admin, { isOn: false, version: 2 })).status).toBe(200);
  expect((await set(admin, { isOn: true })).status).toBe(200);
  expect((await add(admin, { isOn: false, version: 2 })).status).toBe(201);
  for (const stale of [await set(admin, { isOn: true, version: 1 }), await add(admin, { version: 1 })])
    expect(stale).toMatchObject({ status: 409, body: { error: { code: 'changed' } } });
  expect(await accepted()).toBe(1);
  expect((await set(admin, { isOn: true, version: 2 })).status).toBe(200);
  expect(await accepted()).toBe(2);
  await come();
  await expect.poll(async () => (await state()).lastRun).toEqual(expect.any(String));
  expect((await state()).failure).toBeNull();
  await send(admin, 'DELETE', `/api/v1/flows/${own}`);
});

it('a key adds, changes and turns on no schedule, which would outlive it; it lists and deletes them', async () => {
  const id = await addSchedule(other, await addFlow(other));
  const agent = server.withKey((await send(other, 'POST', '/api/v1/keys', { name: 'agent' })).body.secret);
  const own = await addFlow(agent);
  const forbidden = { status: 403, body: { error: { code: 'forbidden' } } };
  expect(await send(agent, 'POST', `/api/v1/flows/${own}/schedules`, { cron: '0 9 * * *' })).toMatchObject(forbidden);
  for (const json of [{ isOn: true }, { cron: '* * * * *' }])
    expect(await send(agent, 'PATCH', `/api/v1/schedules/${id}`, json)).toMatchObject(forbidden);
  expect(await list(agent)).toMatchObject([{ id, cron: '0 9 * * *' }]);
  expect((await send(agent, 'DELETE', `/api/v1/schedules/${id}`)).status).toBe(200);
});

it('a schedule runs a flow that a key of its user edited', async () => {
  const own = await addFlow(other);
  const agent = server.withKey((await send(other, 'POST', '/api/v1/keys', { name: 'agent' })).body.secret);
  const edits = [{ kind: 'set_details', name: 'Changed' }];
  expect((await send(agent, 'POST', `/api/v1/flows/${own}/edits`, { base: 1, edits })).status).toBe(200);
  const id = await addSchedule(other, own);
  await database.query("UPDATE croft_runs.schedule SET next_at = now() - interval '1 second' WHERE id = $1", [id]);
  await expect.poll(async () => (await list(other))[0].lastRun).toEqual(expect.any(String));
  await send(other, 'DELETE', `/api/v1/flows/${own}`);
});

it('a schedule that cannot be read is reported, hides no other, and can be deleted', async () => {
  const [broken, works] = [await addSchedule(admin, flow), await addSchedule(admin, flow)];
  await database.query("UPDATE croft_runs.schedule SET definition = 'k1.AAAA' WHERE id = $1", [broken]);
  const { status, body } = await admin.json<any>('/api/v1/schedules');
  expect(status).toBe(200);
  expect(body.schedules.map(({ id }: any) => id)).toEqual([works]);
  expect(body.unreadable).toEqual([{ id: broken, failure: expect.stringContaining('delete the schedule') }]);
  expect((await send(admin, 'PATCH', `/api/v1/schedules/${broken}`, { isOn: false })).status).toBe(503);
  expect((await send(admin, 'PATCH', `/api/v1/schedules/${works}`, { isOn: false })).status).toBe(200);
  for (const id of [broken, works]) expect((await send(admin, 'DELETE', `/api/v1/schedules/${id}`)).status).toBe(200);
  expect((await admin.json<any>('/api/v1/schedules')).body).toEqual({ schedules: [], unreadable: [] });
});

it('a schedule starts no run while its user has too many, and says so', async () => {
  const id = await addSchedule(admin, flow);
  await database.query(
    `INSERT INTO croft_runs.run (id, user_id, flow_name, source, status, flow, request)
     SELECT 'open ' || n, (SELECT user_id FROM croft_runs.schedule WHERE id = $1), '', 'api', 'waiting', '', ''
     FROM generate_series(1, 2000) AS n`,
    [id],
  );
  await database.query("UPDATE croft_runs.schedule SET next_at = now() - interval '1 second' WHERE id = $1", [id]);
  await expect.poll(async () => (await list())[0].failure).toContain('2000 of your runs have not ended');
  expect((await send(admin, 'POST', `/api/v1/flows/${flow}/runs`)).status).toBe(429);
  await database.query("DELETE FROM croft_runs.run WHERE id LIKE 'open %'");
  await send(admin, 'DELETE', `/api/v1/schedules/${id}`);
});
