import { expect, it } from 'vitest';
import { ASKS } from '../testing-flows.ts';
import type { TestServer, Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let server: TestServer;
let admin: Visitor;
useTestServer({}, async (started) => {
  server = started;
  admin = await started.signInAdmin();
});

const send = (visitor: Visitor, method: string, path: string, json?: unknown) =>
  visitor.json<Record<string, never>>(`/api/v1/${path}`, { method, json, headers: { 'x-croft': '1' } });

it('shows administrators the worker, the runs of all users that have not ended', async () => {
  const nothing = { direct: 0, queued: 0, running: 0, waiting: 0, needsAttention: 0 };
  expect((await send(admin, 'GET', 'workers')).body).toEqual({
    workers: [],
    runs: nothing,
  });
  const { body } = await send(admin, 'POST', 'flows/import', { source: ASKS });
  const { id } = body['flow'] as unknown as { id: string };
  const queued = await send(admin, 'POST', `flows/${id}/runs`, { message: 'hello' });
  expect([queued.status, queued.body]).toEqual([202, { id: expect.any(String) }]);
  await expect.poll(async () => (await send(admin, 'GET', 'workers')).body['runs']).toEqual({ ...nothing, waiting: 1 });
  const { workers } = (await send(admin, 'GET', 'workers')).body as unknown as { workers: { name: string }[] };
  expect(workers).toEqual([{ name: 'server', seenAt: expect.any(String), running: 0 }]);
  const json = { name: 'Ben', email: 'ben@croft.example', password: 'correct horse', role: 'user' };
  await send(admin, 'POST', 'users', json);
  const ben = await server.signIn(json.email, json.password);
  expect((await send(ben, 'GET', 'workers')).status).toBe(403);
});
