import { request as sendRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer, type Visitor } from '../testing.ts';
import { createBodyBudget } from './body-budget.ts';

const MIB = 1024 * 1024;

describe('the budget of bodies', () => {
  it('refuses what one sender holds too much of, and what all hold together', () => {
    const budget = createBodyBudget({ ofOne: 10, ofAll: 15 });
    budget.open('alice').take(8);
    const second = budget.open('alice');
    expect(() => second.take(3)).toThrow(expect.objectContaining({ status: 429, code: 'busy' }));
    second.close();
    expect(() => budget.open('bob').take(8)).toThrow(expect.objectContaining({ headers: { 'Retry-After': '5' } }));
  });

  it('gives back what a body took, once', () => {
    const budget = createBodyBudget({ ofOne: 10, ofAll: 10 });
    for (let i = 0; i < 3; i++) {
      const meter = budget.open('alice');
      meter.take(8);
      meter.close();
      meter.close();
    }
    const last = budget.open('alice');
    last.take(10);
    expect(() => last.take(1)).toThrow();
  });
});

describe('on a server', () => {
  let server: TestServer;
  let alice: Visitor;
  let bobsKey: string;
  beforeAll(async () => {
    server = await startTestServer();
    await server.running.ready;
    const admin = await server.signIn(ADMIN.login, ADMIN.password);
    const keyOf = async (name: string) => {
      const json = { name, email: `${name}@example.test`, password: `password of ${name}` };
      await admin.json('/api/v1/users', { method: 'POST', json });
      const page = await server.signIn(json.email, json.password);
      return (await page.json<{ secret: string }>('/api/v1/keys', { method: 'POST', json: { name } })).body.secret;
    };
    alice = server.withKey(await keyOf('alice'));
    bobsKey = await keyOf('bob');
  }, 60_000);
  afterAll(() => server?.stop());

  /** Sends a part of a body and no more. Resolves with a status that comes all the same, or when all of the part is sent. */
  function sendPart(bytes: number): { status: Promise<number | undefined>; end: () => void } {
    const headers = { authorization: `Bearer ${bobsKey}`, 'content-type': 'application/json' };
    const request = sendRequest(`${server.url}/api/v1/tools/full/write_file`, { method: 'POST', headers });
    const status = new Promise<number | undefined>((resolve) => {
      request.on('error', () => {});
      request.once('response', (response) => resolve(response.statusCode));
      request.write(Buffer.alloc(bytes, ' '), () => setTimeout(() => resolve(undefined), 500));
    });
    return { status, end: () => request.destroy() };
  }

  it('bodies of one user that do not end are refused beyond a bound, and keep no other user out', async () => {
    const bodies = Array.from({ length: 6 }, () => sendPart(14 * MIB));
    try {
      expect(await Promise.all(bodies.map(({ status }) => status))).toContain(429);
      const json = { path: 'a.txt', content: 'x'.repeat(2 * MIB) };
      const written = await alice.json<{ ok: boolean }>('/api/v1/tools/full/write_file', { method: 'POST', json });
      expect(written).toMatchObject({ status: 200, body: { ok: true } });
    } finally {
      for (const { end } of bodies) end();
    }
  });
});
