import { describe, expect, it } from 'vitest';
import type { TestServer, Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let server: TestServer;
let admin: Visitor;

// A server of its own: what is tried here is counted by address, too.
useTestServer({}, async (started) => {
  server = started;
  admin = await started.signInAdmin();
});

describe('signing in', () => {
  it('has one count for all the ways to write one name', async () => {
    const json = { name: 'Two ways', email: 'two-ways', password: 'long enough it is' };
    expect((await admin.json('/api/v1/users', { method: 'POST', json })).status).toBe(201);
    const statuses: number[] = [];
    for (const login of ['two-ways', 'two-ways@localhost', ' TWO-ways ', 'Two-Ways@localhost']) {
      for (let i = 0; i < 3; i++) {
        const guess = { login, password: `guess ${i}` };
        statuses.push((await server.stranger.json('/api/v1/session', { method: 'POST', json: guess })).status);
      }
    }
    expect(statuses).toEqual([...Array<number>(8).fill(401), ...Array<number>(4).fill(429)]);
  });

  it('and other requests that contain a NUL get 400, not a server error', async () => {
    const login = await server.stranger.json('/api/v1/session', {
      method: 'POST',
      json: { login: 'a\0b', password: 'long enough' },
    });
    expect(login.status).toBe(400);
    const json = { name: 'a\0b', email: 'nul@example.test', password: 'long enough it is' };
    expect((await admin.json('/api/v1/users', { method: 'POST', json })).status).toBe(400);
    expect((await admin.json('/api/v1/users/%00', { method: 'DELETE' })).status).toBe(400);
    expect((await admin.json('/api/v1/keys/%00', { method: 'DELETE' })).status).toBe(400);
    expect((await admin.json('/api/v1/me', { method: 'PATCH', json: { name: 'a\0b' } })).status).toBe(400);
  });
});
