import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { memoryDir } from '@croft/workspace/testing';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startServerProcess } from '../../../../tests/store/server-process.ts';
import { storeFlow, type Visitor, visitor } from '../testing.ts';

/** Two requests with effects: the second begins with the response to the first. And a message that is stored beside them. */
const specOf = (host: string) => `name: Two requests
nodes:
  A: APIRequest
  B: APIRequest
  T: TypeConverterComponent
  O: ChatOutput
  I: ChatInput
  M: Memory
edges:
  I.message -> M.message
  A.data -> B.body
  B.data -> T.input_data
  T.message_output -> O.input_value
config:
  A.url_input: http://${host}/first
  A.method: POST
  B.url_input: http://${host}/second
  B.method: POST
  I.input_value: remember me
  M.mode: Store
`;

/** `npm run kill:runs` kills workers at each point of each node. */
it('a queued run goes on at the interrupted node after its server was killed', async () => {
  const received: { path: string; key: IncomingMessage['headers'][string] }[] = [];
  let answers: (response: ServerResponse, path: string) => boolean = (_, path) => path === '/first';
  const service = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/held') return;
    received.push({ path, key: request.headers['idempotency-key'] });
    if (answers(response, path)) response.end('{"ok":true}');
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  const baseDir = mkdtempSync(join(memoryDir(), 'croft-killed-'));
  const start = () => startServerProcess({ baseDir, autoLogin: true, flowHosts: [host] });
  const clientOf = (url: string): Visitor =>
    visitor(url, { authorization: `Bearer ${readFileSync(join(baseDir, 'mcp-token'), 'utf8').trim()}` });
  const first = start();
  let second: ReturnType<typeof start> | undefined;
  let database: pg.Client | undefined;
  try {
    const before = clientOf(await first.url);
    let nodes = 0;
    const flow = await storeFlow(before, specOf(host), (type) => `${type}-${++nodes}`);
    // The lock under which messages of the user are added: the component waits for it when its server is killed.
    database = new pg.Client({ host: join(baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
    database.on('error', () => {});
    await database.connect();
    await database.query("SELECT pg_advisory_lock(hashtextextended('local', 7860018011))");
    const source = `name: Held\nnodes:\n  A: APIRequest\nconfig:\n  A.url_input: http://${host}/held\n`;
    const headers = { 'x-croft': '1' };
    const held = await before.json<any>('/api/v1/flows/import', { method: 'POST', json: { source }, headers });
    const direct = (client: Visitor) => client.json<any>(`/api/v1/runs?flow=${held.body.flow.id}`);
    // The server ends before it answers.
    before.json(`/api/v1/flows/${held.body.flow.id}/run`, { method: 'POST', json: {}, headers }).catch(() => {});
    await expect.poll(async () => (await direct(before)).body.runs[0]?.status).toBe('running');
    const queued = await before.json<{ id: string }>(`/api/v1/flows/${flow}/runs`, {
      method: 'POST',
      json: {},
    });
    expect(queued.status).toBe(202);
    await expect.poll(() => received.map(({ path }) => path)).toEqual(['/first', '/second']);
    // Events are stored in batches: those of the first request are stored with the start of the second.
    const startedBefore = async () => {
      const { body } = await before.json<any>(`/api/v1/runs/${queued.body.id}`);
      return body.run.timeline.map(({ node }: any) => node);
    };
    await expect.poll(startedBefore).toContain('APIRequest-2');
    const waits = async () =>
      ((await database?.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))?.rowCount ?? 0) > 0;
    await expect.poll(waits).toBe(true);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    answers = () => true;
    second = start();
    const after = clientOf(await second.url);
    // A run in the server itself is lost with it, and says so at once.
    expect((await direct(after)).body.runs[0].status).toBe('interrupted');
    const run = async () => (await after.json<any>(`/api/v1/runs/${queued.body.id}`)).body.run;
    await expect.poll(async () => (await run()).status).toBe('completed');
    expect(received.map(({ path }) => path)).toEqual(['/first', '/second', '/second']);
    expect(received[1]?.key).toEqual(expect.any(String));
    expect(received[2]?.key).toBe(received[1]?.key);
    const starts = (await run()).timeline.map(({ node, starts: count }: any) => `${node} ${count}`);
    expect(starts).toContain('APIRequest-1 1');
    // Stored once, without a person's decision.
    const sessions = await after.json<any>(`/api/v1/flows/${flow}/sessions`);
    expect(sessions.body.sessions).toMatchObject([{ id: 'default', name: 'remember me', messages: 1 }]);
  } finally {
    await Promise.all([database?.end(), first.stop(), second?.stop()]);
    service.closeAllConnections();
    service.close();
    rmSync(baseDir, { recursive: true, force: true, maxRetries: 5 });
  }
});
