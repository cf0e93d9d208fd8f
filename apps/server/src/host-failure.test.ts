import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryDir } from '@croft/workspace/testing';
import { WorkspaceError } from '@croft/workspace';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startServerProcess } from '../../../tests/store/server-process.ts';
import { openTestDatabase, postmasterPid } from '../../../tests/store/test-database.ts';
import { hostFailure } from './host-failure.ts';
import { StoreError } from './store/store-error.ts';
import { toProblem } from './to-problem.ts';
import { openDatabase } from './store/database.ts';
import { ADMIN, startTestServer, type TestServer, type Visitor, visitor } from './testing.ts';
import { copyServerDatabase } from './testing-database.ts';

const MCP_HEADERS = { accept: 'application/json, text/event-stream' };
const post = (path: string, json: object) => [path, { method: 'POST', json }] as const;

/** One round of requests that need the database: a page's, a key's, a machine's and a stranger's. */
async function askAll(server: TestServer, page: Visitor, key: Visitor): Promise<Response[]> {
  const asked = [
    page.request('/api/v1/keys'),
    page.request('/api/v1/me', { method: 'PATCH', json: { name: 'Admin' } }),
    page.request(...post('/api/v1/keys', { name: 'another' })),
    page.request(...post('/instance-ai/gateway/create-link', {})),
    page.request(...post('/instance-ai/filesystem/toggle', { enabled: true })),
    key.request('/api/v1/files'),
    key.request('/mcp', { method: 'POST', json: { jsonrpc: '2.0', id: 1, method: 'ping' }, headers: MCP_HEADERS }),
    server.stranger.request(...post('/api/v1/session', ADMIN)),
    server.stranger.request('/instance-ai/gateway/events', { headers: { 'x-gateway-key': 'unknown' } }),
  ];
  return Promise.all(asked);
}

/** Asks in rounds until `isOver`; every answer is a usual one, or tells the client when to come again. */
async function askUntil(isOver: () => boolean, round: () => Promise<Response[]>): Promise<number[]> {
  const statuses: number[] = [];
  while (!isOver())
    for (const answer of await round()) {
      if (answer.status >= 500)
        expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
          503,
          '5',
          expect.any(String),
        ]);
      statuses.push(answer.status);
    }
  return statuses;
}

const readyz = async (page: Visitor) =>
  (await page.json<{ waitingFor?: string }>('/readyz')).body.waitingFor ?? 'ready';

describe('during a restart of the database', () => {
  it('of the embedded one, requests wait or get 503 with Retry-After, and none fails', async () => {
    const server = await startTestServer();
    try {
      await server.running.ready;
      const page = await server.signInAdmin();
      const key = server.withKey(
        (await page.json<{ secret: string }>(...post('/api/v1/keys', { name: 'k' }))).body.secret,
      );
      let kills = 0;
      const killing = (async () => {
        for (; kills < 3; kills++) {
          await sleep(150);
          const pid = postmasterPid(server.baseDir);
          process.kill(pid, 'SIGKILL');
          await expect.poll(() => newPostmaster(server.baseDir, pid)).toBe(true);
        }
      })();
      const statuses = await askUntil(
        () => kills === 3,
        () => askAll(server, page, key),
      );
      await killing;
      expect(statuses).toContain(200);
      await expect.poll(() => readyz(page)).toBe('ready');
    } finally {
      await server.stop();
    }
  });

  it('of your own, /readyz says so, and a request that came meanwhile is answered after it', async () => {
    const own = await openTestDatabase();
    const { host } = own.database.connection();
    const databaseUrl = `postgresql://croft@localhost/croft?host=${encodeURIComponent(String(host))}`;
    const server = await startTestServer({ databaseUrl });
    let again: ReturnType<typeof openDatabase> | undefined;
    try {
      await server.running.ready;
      const page = await server.signInAdmin();
      const key = server.withKey(
        (await page.json<{ secret: string }>(...post('/api/v1/keys', { name: 'k' }))).body.secret,
      );
      expect(await readyz(page)).toBe('ready');
      await own.database.close();
      await expect.poll(() => readyz(page)).toBe('database');
      const waiting = askAll(server, page, key);
      again = openDatabase({ baseDir: own.baseDir });
      await again.ready;
      const statuses = (await waiting).map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 201, 200, 200, 200, 200, 200, 403]);
      await expect.poll(() => readyz(page)).toBe('ready');
    } finally {
      await server.stop();
      await again?.close();
      rmSync(own.baseDir, { recursive: true, force: true });
    }
  });
});

function newPostmaster(baseDir: string, old: number): boolean {
  try {
    const pid = postmasterPid(baseDir);
    return (
      pid !== old && pid > 0 && readFileSync(join(baseDir, 'postgres/data/postmaster.pid'), 'utf8').includes('ready')
    );
  } catch {
    return false;
  }
}

it('is not ready before an admin exists', async () => {
  const server = await startTestServer({ superuser: undefined, superuserPassword: undefined });
  try {
    await server.running.ready;
    expect(await readyz(server.stranger)).toBe('admin');
    const client = new pg.Client({ host: join(server.baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
    await client.connect();
    await client.query(`INSERT INTO "user" (id, name, email, role) VALUES ('a', 'A', 'a@localhost', 'admin')`);
    expect(await readyz(server.stranger)).toBe('ready');
    await client.end();
  } finally {
    await server.stop();
  }
});

describe('a full disk', () => {
  it.each(['ENOSPC', 'EDQUOT'])('is a 507 where the system says %s below another error', (code) => {
    const cause = Object.assign(new Error('write'), { code });
    expect(toProblem(new WorkspaceError('io', 'Cannot write', { cause }))).toMatchObject({
      status: 507,
      code: 'disk_full',
    });
    expect(toProblem(cause)).toMatchObject({ status: 507, code: 'disk_full' });
  });

  const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;
  it.runIf(canMount)(
    'is a 507, in the log and not ready, for uploads and tools, until there is room again',
    async () => {
      const baseDir = mkdtempSync(join(memoryDir(), 'croft-full-'));
      await copyServerDatabase(baseDir);
      const server = startServerProcess({ baseDir, autoLogin: true }, { diskBytes: 2 * 1024 * 1024 });
      try {
        const url = await server.url;
        const key = visitor(url, {
          authorization: `Bearer ${readFileSync(join(baseDir, 'mcp-token'), 'utf8').trim()}`,
        });
        const upload = (name: string, bytes: number) =>
          key.json(`/api/v1/files/content?path=${name}`, { method: 'PUT', body: Buffer.alloc(bytes, 'x') });
        expect((await upload('small.bin', 1_000)).status).toBe(201);
        expect(await readyz(key)).toBe('ready');
        // As root, the file system of that process can be reached.
        const filler = join(`/proc/${server.child.pid}/root`, baseDir, 'workspaces/filler');
        expect(() => writeFileSync(filler, Buffer.alloc(4 * 1024 * 1024))).toThrow('ENOSPC');
        await expect.poll(() => readyz(key)).toBe('disk');
        expect(await upload('large.bin', 500_000)).toMatchObject({
          status: 507,
          body: { error: { code: 'disk_full' } },
        });
        const { body } = await key.json(
          ...post('/api/v1/tools/full/write_file', { path: 'a.txt', content: 'x'.repeat(200_000) }),
        );
        expect(body).toMatchObject({ ok: false, data: { error: expect.stringMatching(/no space left/i) as string } });
        const entries = server.lines.map((line) => JSON.parse(line) as { level: string; msg: string; tool?: string });
        expect(entries).toContainEqual(
          expect.objectContaining({ level: 'error', msg: 'the disk is full', path: '/api/v1/files/content' }),
        );
        expect(entries).toContainEqual(expect.objectContaining({ level: 'error', tool: 'write_file' }));
        rmSync(filler);
        await expect.poll(() => readyz(key)).toBe('ready');
        expect((await upload('large.bin', 500_000)).status).toBe(201);
      } finally {
        await server.stop();
        rmSync(baseDir, { recursive: true, force: true });
      }
    },
    60_000,
  );
});

describe('hostFailure', () => {
  const failing = (message: string, more: object = {}, cause?: unknown) =>
    Object.assign(new Error(message, { cause }), more);
  const query = (cause: unknown) => failing('Failed query', { query: 'SELECT 1' }, cause);
  const nested = (depth: number, cause: unknown): unknown =>
    depth === 0 ? cause : failing('outer', {}, nested(depth - 1, cause));

  it.each<readonly [unknown, string | undefined]>([
    ...['ENOSPC', 'EDQUOT', '53100'].map((code) => [failing('full', { code }), 'disk_full'] as const),
    [query(failing('full', { code: 'ENOSPC' })), 'disk_full'],
    [nested(7, failing('full', { code: 'ENOSPC' })), 'disk_full'],
    [nested(8, failing('full', { code: 'ENOSPC' })), undefined],
    [failing('no', { code: 'ECONNREFUSED' }), undefined],
    [query(failing('no', { code: 'ECONNREFUSED' })), 'database_down'],
    [query(failing('no', { code: '08006' })), 'database_down'],
    [query(failing('no', { code: '23505' })), undefined],
    [Object.assign(new pg.DatabaseError('no', 1, 'error'), { code: '08003' }), 'database_down'],
    [failing('Connection terminated unexpectedly'), undefined],
    ...[
      'Connection terminated unexpectedly',
      'Client has encountered a connection error and is not queryable',
      'Client was closed and is not queryable',
      'timeout exceeded when trying to connect',
      'Cannot use a pool after calling end on the pool',
    ].map((text) => [query(failing(text)), 'database_down'] as const),
    [query(failing('Lost: Connection terminated')), undefined],
    [new StoreError('unavailable', 'away'), 'database_down'],
    [new StoreError('no_binary', 'none'), undefined],
    ['ENOSPC', undefined],
    [undefined, undefined],
  ])('of %s is %s', (error, failure) => expect(hostFailure(error)).toBe(failure));
});
