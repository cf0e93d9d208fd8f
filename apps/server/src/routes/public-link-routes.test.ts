import { expect, it } from 'vitest';
import { makeKey, storeFlow, type TestServer, type Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let server: TestServer;
let admin: Visitor;
let other: Visitor;
const OTHER = { name: 'ben', email: 'ben@example.test', password: 'password of ben' };

const ECHO = `name: Echo
description: Says what it hears
nodes:
  I: ChatInput
  O: ChatOutput
edges:
  I.message -> O.input_value
config:
  I.input_value: Hello
`;
/** Fails with an error that names a file of its author. */
const FAILS = `name: Fails
nodes:
  I: ChatInput
  R: ReadData
  P: ParserComponent
  O: ChatOutput
edges:
  I.message -> O.input_value
  R.dataframe -> P.input_data
  P.parsed_text -> O.input_value
config:
  R.path: secret-path.csv
  P.pattern: "{a}"
`;

useTestServer({}, async (started) => {
  server = started;
  admin = await started.signInAdmin();
  expect((await admin.json('/api/v1/users', { method: 'POST', json: { ...OTHER, role: 'admin' } })).status).toBe(201);
  other = await started.signIn(OTHER.email, OTHER.password);
});

const linkOf = (flow: string, method: string, by = admin, json: object = {}) =>
  by.json<any>(`/api/v1/flows/${flow}/link`, {
    method,
    headers: { 'x-croft': '1' },
    ...(method === 'PUT' && { json }),
  });

async function publish(spec: string, by = admin) {
  const flow = await storeFlow(by, spec);
  const { status, body } = await linkOf(flow, 'PUT', by);
  expect(status).toBe(200);
  return { flow, link: body.link.id as string };
}

const look = (link: string) => server.stranger.json<any>(`/api/v1/public/${link}`);

/** Sends a message without a session, and reads the events of the answer. */
async function say(link: string, text: string, more: object = {}) {
  const json = { messages: [{ role: 'user', content: text }], ...more };
  const answer = await server.stranger.request(`/api/v1/public/${link}/messages`, { method: 'POST', json });
  const body = await answer.text();
  const events = [...body.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, event, data]) => [
    event,
    (JSON.parse(data ?? '') as { text: string }).text,
  ]);
  return { status: answer.status, body, events };
}

it('lets anyone with the link chat with the flow, and shows nothing else of it', async () => {
  const { flow, link } = await publish(ECHO);
  expect((await linkOf(flow, 'PUT')).body.link.id).toBe(link);
  expect((await linkOf(flow, 'GET')).body.link).toMatchObject({ id: link, path: `/p/${link}` });
  expect((await look(link)).body).toEqual({ name: 'Echo', description: 'Says what it hears', sample: 'Hello' });
  expect((await say(link, 'good morning')).events).toEqual([['done', 'good morning']]);
  // The run is in the history of the owner.
  const { runs } = (await admin.json<any>(`/api/v1/runs?flow=${flow}`)).body;
  expect(runs).toMatchObject([{ status: 'completed' }]);
  expect((await server.stranger.json(`/api/v1/runs/${runs[0].id}`)).status).toBe(401);
});

it('takes messages only: no tweaks, inputs, ids of components or longer conversations', async () => {
  const { link } = await publish(ECHO);
  for (const more of [
    { tweaks: { I: { input_value: 'other' } } },
    { inputs: { I: { input_value: 'other' } } },
    { until: 'I' },
    { messages: [{ role: 'system', content: 'x' }] },
    { messages: Array.from({ length: 51 }, () => ({ role: 'user', content: 'x' })) },
  ])
    expect((await say(link, 'x', more)).status).toBe(400);
});

it('hides the reason of a failure, which its owner finds in the history', async () => {
  const { flow, link } = await publish(FAILS);
  const { events, body } = await say(link, 'x');
  expect(events.map(([event]) => event)).toEqual(['failed']);
  expect(body).not.toMatch(/secret-path|ReadData|csv/);
  const { runs } = (await admin.json<any>(`/api/v1/runs?flow=${flow}`)).body;
  expect(runs).toMatchObject([{ status: 'failed' }]);
});

it('neither runs nor shows the edit of another user until the owner makes the link again, having seen it', async () => {
  const { flow, link } = await publish(ECHO);
  const share = { user: OTHER.email, access: 'edit' };
  await admin.json(`/api/v1/flows/${flow}/shares`, { method: 'PUT', json: share });
  const edit = { base: 1, edits: [{ kind: 'set_details', description: 'Changed by Ben' }] };
  expect((await other.json(`/api/v1/flows/${flow}/edits`, { method: 'POST', json: edit })).status).toBe(200);
  const isWithheld = async () => {
    expect((await say(link, 'x')).status).toBe(422);
    const page = await look(link);
    expect(page).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(JSON.stringify(page)).not.toContain('Ben');
  };
  await isWithheld();
  const stale = await linkOf(flow, 'PUT', admin, { version: 1 });
  expect(stale).toMatchObject({ status: 409, body: { error: { code: 'changed' } } });
  expect((await linkOf(flow, 'PUT')).body.link.id).toBe(link);
  await isWithheld();
  expect((await linkOf(flow, 'PUT', admin, { version: 2 })).body.link.id).toBe(link);
  expect((await look(link)).body.description).toBe('Changed by Ben');
  expect((await say(link, 'x')).events).toEqual([['done', 'x']]);
});

it('stops at once when the link is removed, the flow deleted, or its owner disabled', async () => {
  const { flow, link } = await publish(ECHO);
  expect((await linkOf(flow, 'DELETE')).status).toBe(200);
  expect((await linkOf(flow, 'GET')).body.link).toBeNull();
  expect([(await look(link)).status, (await say(link, 'x')).status]).toEqual([404, 404]);
  const second = await publish(ECHO);
  await admin.json(`/api/v1/flows/${second.flow}`, { method: 'DELETE', headers: { 'x-croft': '1' } });
  expect((await look(second.link)).status).toBe(404);
  const bens = await publish(ECHO, other);
  const { id } = (await other.json<any>('/api/v1/me')).body.user;
  const set = (disabled: boolean) => admin.json(`/api/v1/users/${id}`, { method: 'PATCH', json: { disabled } });
  expect((await set(true)).status).toBe(200);
  expect((await say(bens.link, 'x')).status).toBe(404);
  await set(false);
  const give = (role: string) => admin.json(`/api/v1/users/${id}`, { method: 'PATCH', json: { role } });
  await give('user');
  other = await server.signIn(OTHER.email, OTHER.password);
  expect((await linkOf(bens.flow, 'GET', other)).body.link).toMatchObject({ id: bens.link, isOpen: false });
  expect((await look(bens.link)).status).toBe(404);
  await give('admin');
  other = await server.signIn(OTHER.email, OTHER.password);
});

it('is for admins with a session, for flows of their own that take messages', async () => {
  const flow = await storeFlow(admin, ECHO);
  expect((await linkOf(flow, 'PUT', other)).status).toBe(404);
  expect((await linkOf(flow, 'GET', other)).status).toBe(404);
  await admin.json(`/api/v1/flows/${flow}/shares`, { method: 'PUT', json: { user: OTHER.email, access: 'edit' } });
  expect((await linkOf(flow, 'PUT', other)).status).toBe(403);
  const cy = await server.addUser('cy');
  expect((await linkOf(await storeFlow(cy, ECHO), 'PUT', cy)).status).toBe(403);
  const key = await makeKey(admin);
  expect((await linkOf(flow, 'PUT', server.withKey(key))).status).toBe(403);
  const silent = await storeFlow(admin, 'name: Silent\nnodes:\n  T: TextInput\n');
  expect((await linkOf(silent, 'PUT')).body.error).toMatchObject({ code: 'invalid' });
  expect((await look('A'.repeat(22))).status).toBe(404);
});
