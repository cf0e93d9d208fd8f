import { join } from 'node:path';
import { builtinRegistry } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let database: pg.Client;
let admin: Visitor;
let other: Visitor;
let flow: string;

beforeAll(async () => {
  server = await startTestServer();
  await server.running.ready;
  database = new pg.Client({ host: join(server.baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
  await database.connect();
  admin = await server.signIn(ADMIN.login, ADMIN.password);
  const json = { name: 'other', email: 'other@example.test', password: 'password of other' };
  await admin.json('/api/v1/users', { method: 'POST', json });
  other = await server.signIn(json.email, json.password);
  // A text without an open input: it runs with its stored values.
  const spec = `name: Hello\nnodes:\n  I: TextInput\n  O: ChatOutput\nedges:\n  I.text -> O.input_value\nconfig:\n  I.input_value: hello\n`;
  const built = buildFromSpec(spec, builtinRegistry(), (type) => type);
  if ('error' in built) throw new Error(`${built.error} ${built.details}`);
  const made = await admin.json<any>('/api/v1/flows', { method: 'POST', json: { document: built.flow } });
  flow = made.body.flow.id;
}, 60_000);
afterAll(async () => {
  await database?.end();
  await server?.stop();
});

const send = (by: Visitor, method: string, path: string, json: object = {}) => by.json<any>(path, { method, json });
const list = async (by = admin) => (await by.json<any>('/api/v1/schedules')).body.schedules;

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
  for (const method of ['PATCH', 'DELETE'])
    expect(
      (await send(other, method, `/api/v1/schedules/${id}`, method === 'PATCH' ? { isOn: false } : {})).status,
    ).toBe(404);

  // The time comes.
  await database.query("UPDATE croft_runs.schedule SET next_at = now() - interval '1 second' WHERE id = $1", [id]);
  await expect.poll(async () => (await list())[0].lastRun, { timeout: 20_000 }).toEqual(expect.any(String));
  const [{ lastRun, nextAt }] = await list();
  expect(new Date(nextAt).getTime()).toBeGreaterThan(Date.now());
  const status = async () => (await admin.json<any>(`/api/v1/runs/${lastRun}`)).body.run;
  await expect.poll(async () => (await status()).status, { timeout: 20_000 }).toBe('completed');
  expect(await status()).toMatchObject({ source: 'schedule', text: 'hello', flowId: flow });

  expect((await send(admin, 'PATCH', `/api/v1/schedules/${id}`, { isOn: false })).status).toBe(200);
  expect(await list()).toMatchObject([{ id, isOn: false, nextAt: null, timeZone: 'Europe/Berlin' }]);
  expect((await send(admin, 'DELETE', `/api/v1/schedules/${id}`)).status).toBe(200);
  expect(await list()).toEqual([]);
});
