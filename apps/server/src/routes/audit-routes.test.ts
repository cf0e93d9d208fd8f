import { expect, it } from 'vitest';
import type { TestServer, Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let server: TestServer;
let admin: Visitor;
let adminId: string;

useTestServer({}, async (started) => {
  server = started;
  admin = await started.signInAdmin();
  adminId = (await admin.json<any>('/api/v1/me')).body.user.id;
});

const list = async (query = '') => (await admin.json<any>(`/api/v1/audit${query}`)).body;

it('lists sign-ins and changes of users, without passwords', async () => {
  const json = { name: 'Grace', email: 'grace', password: 'a long password' };
  const { body } = await admin.json<any>('/api/v1/users', { method: 'POST', json });
  await server.stranger.json('/api/v1/session', { method: 'POST', json: { login: 'grace', password: 'wrong one' } });
  const { events } = await list();
  expect(events).toMatchObject([
    { action: 'signIn', outcome: 'wrong_credentials', userId: null, userName: null, address: '127.0.0.1' },
    { action: 'createUser', outcome: 'ok', userId: adminId, via: 'session', targets: [body.user.id], targetCount: 1 },
    { action: 'signIn', outcome: 'ok', userId: adminId, userName: expect.any(String) },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/a long password|wrong one/);
});

it('gives pages, and the events of one user or action', async () => {
  for (let count = 0; count < 3; count += 1)
    await admin.json('/api/v1/keys', { method: 'POST', json: { name: `key ${count}` } });
  const first = await list('?action=createKey&limit=2');
  expect([first.events.length, first.nextCursor]).toEqual([2, expect.any(String)]);
  const second = await list(`?action=createKey&limit=2&cursor=${first.nextCursor}`);
  expect([second.events.length, second.nextCursor]).toEqual([1, null]);
  expect(second.events[0].id).toBeLessThan(first.events[1].id);
  expect((await list('?user=nobody-has-this-id')).events).toEqual([]);
  expect((await list(`?user=${adminId}&action=createKey`)).events).toHaveLength(3);
});

it('stores paths with characters that the database refuses', async () => {
  await admin.json(`/api/v1/keys/${encodeURIComponent('a\0b')}`, { method: 'DELETE', json: {} });
  expect((await list('?action=revokeKey')).events[0]).toMatchObject({ outcome: 'invalid', targets: ['a\uFFFDb'] });
});

it('is for administrators, also with an API key', async () => {
  const user = await server.addUser('plain');
  for (const path of ['/api/v1/audit', '/api/v1/audit-actions'])
    expect([(await user.json(path)).status, (await server.stranger.json(path)).status]).toEqual([403, 401]);
});

it('names the actions that it records', async () => {
  const { actions } = (await admin.json<any>('/api/v1/audit-actions')).body;
  expect(actions).toEqual(expect.arrayContaining(['signIn', 'connectMachine', 'createUser', 'deleteFlow']));
  expect(actions).not.toContain('listUsers');
});

it('shows administrators the storage, flows and last activity of users', async () => {
  await admin.json('/api/v1/flows', { method: 'POST', json: { name: 'One' } });
  const read = async () => (await admin.json<any>('/api/v1/users')).body;
  await expect.poll(async () => (await read()).users[0].storage).toMatchObject({ bytes: expect.any(Number) });
  const { users, quotaBytes } = await read();
  expect([users[0].flows, quotaBytes]).toEqual([1, null]);
  expect(Date.parse(users[0].lastActiveAt)).toBeGreaterThan(Date.parse(users[0].createdAt));
});
