import { type IncomingMessage, request as sendRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeKey, type TestServer, type Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';
import { createBodyBudget, createRequestBodies } from './body-budget.ts';

const MIB = 1024 * 1024;

describe('the budget of bodies', () => {
  it('refuses what one sender holds too much of, and what all hold together', () => {
    const budget = createBodyBudget({ ofOne: 10, ofAll: 15 });
    budget.open('alice').take(8);
    const second = budget.open('alice');
    expect(() => second.take(3)).toThrow(expect.objectContaining({ status: 429, code: 'busy' }));
    second.close();
    const third = budget.open('bob');
    third.take(7);
    expect(() => third.take(2)).toThrow(expect.objectContaining({ headers: { 'Retry-After': '5' } }));
  });

  it('cuts the largest body where all hold too much, and takes a small one', () => {
    const budget = createBodyBudget({ ofOne: 10, ofAll: 20, free: 2 });
    const cut: string[] = [];
    const bodies = [9, 12, 3].map((bytes, at) => {
      const meter = budget.open(`stranger ${at}`, () => cut.push(`stranger ${at}`));
      meter.take(bytes);
      return meter;
    });
    for (let at = 0; at < 100; at++) budget.open(`visitor ${at}`).take(2);
    expect(cut).toEqual([]);
    const last = budget.open('alice');
    last.take(6);
    expect(cut).toEqual(['stranger 1']);
    expect(() => bodies[1]?.take(1)).toThrow(expect.objectContaining({ code: 'busy' }));
    for (const meter of [...bodies, last]) meter.close();
    budget.open('bob').take(12);
    budget.open('carol').take(12);
    expect(cut).toEqual(['stranger 1']);
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

it('strangers whose bodies do not end keep no visitor out', () => {
  const ended: string[] = [];
  const bodies = createRequestBodies({ originOf: ({ url }: IncomingMessage) => ({ address: url }) } as never);
  const openFrom = (url: string) => bodies.open({ url, destroy: () => ended.push(url) } as never, undefined);
  for (let at = 0; at < 64; at++) openFrom(`198.51.100.${at % 8}`).take(MIB - 2);
  for (let at = 0; at < 8; at++) openFrom(`198.51.100.${at + 8}`).take(MIB - 2);
  expect(ended.length).toBeGreaterThan(0);
  const before = ended.length;
  openFrom('203.0.113.1').take(16 * 1024);
  openFrom('203.0.113.2').take(256 * 1024);
  expect(ended.slice(before).every((url) => url.startsWith('198.51.100.'))).toBe(true);
});

describe('on a server', () => {
  let server: TestServer;
  let alice: Visitor;
  let bobsKey: string;
  useTestServer({}, async (started) => {
    server = started;
    const admin = await started.signInAdmin();
    const keyOf = async (name: string) => {
      const json = { name, email: `${name}@example.test`, password: `password of ${name}` };
      await admin.json('/api/v1/users', { method: 'POST', json });
      const page = await started.signIn(json.email, json.password);
      return makeKey(page);
    };
    alice = started.withKey(await keyOf('alice'));
    bobsKey = await keyOf('bob');
  });

  it('refuses a sign-in of more than 16 KB', async () => {
    const json = { login: 'alice', password: 'x'.repeat(17 * 1024) };
    const visitor = server.withKey('');
    expect(await visitor.json('/api/v1/session', { method: 'POST', json })).toMatchObject({ status: 413 });
  });

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
