import { expect, it } from 'vitest';
import { storeFlow, type TestServer, type Visitor, visitor } from './testing.ts';
import { connectMcp } from './testing-mcp.ts';
import { useTestServer } from './use-test-server.ts';

let server: TestServer;
let admin: Visitor;

useTestServer({}, async (started) => {
  server = started;
  admin = await started.signInAdmin();
});

const entries = (action: string) =>
  server.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ audit }) => audit === action);
const send = (method: string, path: string, json?: object) =>
  admin.json<{ [K in 'user' | 'key' | 'webhook']?: { id: string } } & { id?: string }>(path, {
    method,
    ...(json && { json }),
  });

it('records sign-ins, refused ones as warnings, without names and passwords', async () => {
  expect(entries('signIn').at(-1)).toMatchObject({
    outcome: 'ok',
    via: 'session',
    address: '127.0.0.1',
    level: 'info',
  });
  const wrong = { login: 'somebody-else@croft.example', password: 'wrong-password' };
  await server.stranger.json('/api/v1/session', { method: 'POST', json: wrong });
  expect(entries('signIn').at(-1)).toMatchObject({ outcome: 'wrong_credentials', address: '127.0.0.1', level: 'warn' });
  expect(server.lines.join('')).not.toMatch(/somebody-else|wrong-password/);
});

it('records who changed which user and which key, and who was refused', async () => {
  const { body } = await send('POST', '/api/v1/users', { name: 'Grace', email: 'grace', password: 'long enough' });
  const id = body.user?.id as string;
  expect(entries('createUser').at(-1)).toMatchObject({ outcome: 'ok', targets: [id], userId: expect.any(String) });
  const changes = { role: 'admin', disabled: false, name: 'Grace Hopper', password: 'another long one' };
  await send('PATCH', `/api/v1/users/${id}`, changes);
  expect(entries('updateUser').at(-1)).toMatchObject({ outcome: 'ok', targets: [id] });
  expect(entries('updateUser').at(-1)).toMatchObject({ changes: ['name', 'role=admin', 'disabled=false', 'password'] });
  const key = (await send('POST', '/api/v1/keys', { name: 'ci' })).body.key?.id as string;
  expect(entries('createKey').at(-1)).toMatchObject({ outcome: 'ok', targets: [key] });
  await send('DELETE', `/api/v1/keys/${key}`);
  expect(entries('revokeKey').at(-1)).toMatchObject({ outcome: 'ok', targets: [key] });
  await send('DELETE', `/api/v1/users/${id}`);
  expect(entries('removeUser').at(-1)).toMatchObject({ outcome: 'ok', targets: [id] });
  await send('DELETE', `/api/v1/users/${id}`);
  expect(entries('removeUser').at(-1)).toMatchObject({ outcome: 'not_found', level: 'warn' });
  expect(server.lines.join('')).not.toMatch(/long enough|another long one|Grace Hopper/);
});

it('records who shares files and flows, sets variables and makes webhooks, without values', async () => {
  await send('PUT', '/api/v1/shared-mount', { mode: 'read' });
  expect(entries('setSharedMount').at(-1)).toMatchObject({ outcome: 'ok', changes: ['mode=read'] });
  await send('PUT', '/api/v1/shared-mount', { mode: 'off' });
  await send('PUT', '/api/v1/variables/API_TOKEN', { value: 'the-secret-value' });
  expect(entries('setVariable').at(-1)).toMatchObject({ outcome: 'ok', targets: ['API_TOKEN'] });
  const user = (await send('POST', '/api/v1/users', { name: 'Ben', email: 'ben', password: 'long enough' })).body.user
    ?.id;
  const flow = await storeFlow(admin, 'webhook-to-file');
  await send('PUT', `/api/v1/flows/${flow}/shares`, { user: 'ben', access: 'edit' });
  expect(entries('shareFlow').at(-1)).toMatchObject({ targets: [flow, user], changes: ['user', 'access=edit'] });
  await send('POST', `/api/v1/flows/${flow}/webhooks`, { name: 'orders of Ben' });
  expect(entries('addWebhook').at(-1)).toMatchObject({ outcome: 'ok', targets: [flow, expect.any(String)] });
  expect(server.lines.join('')).not.toMatch(/the-secret-value|orders of Ben/);
});

it('records deleted files with their paths', async () => {
  const headers = { 'x-croft': '1', 'content-type': 'application/octet-stream' };
  await admin.request('/api/v1/files/content?path=a.md', { method: 'PUT', body: 'a', headers });
  await send('POST', '/api/v1/files/delete', { paths: ['a.md'] });
  expect(entries('deleteFiles').at(-1)).toMatchObject({ outcome: 'ok', targets: ['a.md'], via: 'session' });
});

it('records a machine that connects and leaves', async () => {
  const { body } = await admin.json<{ token: string }>('/instance-ai/gateway/create-link', {
    method: 'POST',
    json: {},
  });
  const post = (path: string, key: string, json: object) =>
    fetch(`${server.url}/instance-ai/gateway/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gateway-key': key },
      body: JSON.stringify(json),
    });
  const welcome = await post('init', body.token, { rootPath: '/p', tree: [], treeText: '' });
  const { sessionKey } = (await welcome.json()) as { sessionKey: string };
  const stream = new AbortController();
  await fetch(`${server.url}/instance-ai/gateway/events`, {
    headers: { 'x-gateway-key': sessionKey },
    signal: stream.signal,
  });
  expect(entries('connectMachine').at(-1)).toMatchObject({ userId: expect.any(String) });
  await post('disconnect', sessionKey, {});
  expect(entries('disconnectMachine').at(-1)).toMatchObject({ userId: expect.any(String) });
  stream.abort();
});

it('records calls that need a session or an administrator and are refused', async () => {
  const user = await server.addUser('ordinary');
  const { secret } = (await user.json<any>('/api/v1/keys', { method: 'POST', json: { name: 'ci' } })).body;
  const key = visitor(server.url, { authorization: `Bearer ${secret}` });
  expect((await key.json('/api/v1/keys', { method: 'POST', json: { name: 'second' } })).status).toBe(403);
  expect(entries('createKey').at(-1)).toMatchObject({ outcome: 'forbidden', via: 'key', level: 'warn' });
  expect((await user.json('/api/v1/users/other', { method: 'DELETE' })).status).toBe(403);
  expect(entries('removeUser').at(-1)).toMatchObject({ outcome: 'forbidden', via: 'session', targets: ['other'] });
  const count = entries('removeUser').length;
  expect((await server.stranger.json('/api/v1/users/other', { method: 'DELETE' })).status).toBe(401);
  expect(entries('removeUser')).toHaveLength(count);
});

it('records what starts runs or gives access later: schedules, webhooks, restored flows, tools for agents', async () => {
  const flow = await storeFlow(admin, 'webhook-to-file');
  const { id: schedule } = (await send('POST', `/api/v1/flows/${flow}/schedules`, { cron: '0 0 1 1 *' })).body;
  expect(entries('addSchedule').at(-1)).toMatchObject({ outcome: 'ok', targets: [flow, schedule] });
  await send('PATCH', `/api/v1/schedules/${schedule}`, { isOn: false });
  expect(entries('changeSchedule').at(-1)).toMatchObject({ targets: [schedule], changes: ['isOn=false'] });
  const { webhook } = (await send('POST', `/api/v1/flows/${flow}/webhooks`, {})).body;
  await send('PATCH', `/api/v1/webhooks/${webhook?.id}`, { isOn: false });
  expect(entries('changeWebhook').at(-1)).toMatchObject({ targets: [webhook?.id], changes: ['isOn=false'] });
  await send('PUT', `/api/v1/flows/${flow}/tool`, { name: 'flow_orders', description: 'Takes orders.' });
  expect(entries('publishTool').at(-1)).toMatchObject({ outcome: 'ok', targets: [flow] });
  await send('PUT', `/api/v1/flows/${flow}/acceptance`, { version: 1 });
  expect(entries('acceptFlow').at(-1)).toMatchObject({ outcome: 'ok', targets: [flow] });
  await send('DELETE', `/api/v1/flows/${flow}`);
  await send('POST', `/api/v1/deleted-flows/${flow}/restore`, {});
  expect(entries('restoreDeletedFlow').at(-1)).toMatchObject({ outcome: 'ok', targets: [flow] });
});

it('records a flow that an agent deletes over MCP', async () => {
  const flow = await storeFlow(admin, 'chat');
  const { secret } = (await admin.json<any>('/api/v1/keys', { method: 'POST', json: { name: 'agent' } })).body;
  const client = await connectMcp(server, secret, '/mcp/flows');
  await client.callTool({ name: 'delete_flow', arguments: { flow_id: flow } });
  await client.close();
  expect(entries('deleteFlow').at(-1)).toMatchObject({ targets: [flow], via: 'key', address: '127.0.0.1' });
});
