import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoryDir } from '@croft/workspace/testing';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startServerProcess } from '../../../../tests/store/server-process.ts';
import { storeFlow, type Visitor, visitor } from '../testing.ts';

/** Stores a message. */
const SPEC = `name: Keep
nodes:
  T: TextInput
  M: Memory
  O: ChatOutput
edges:
  T.text -> M.message
  M.stored_messages -> O.input_value
config:
  T.input_value: the letter
  M.mode: Store
  M.session_id: letters
`;

it('a run whose server was killed while it stored a message goes on, and the message is stored once', async () => {
  const baseDir = mkdtempSync(join(memoryDir(), 'croft-decision-'));
  const start = () => startServerProcess({ baseDir, autoLogin: true });
  const clientOf = (url: string): Visitor =>
    visitor(url, { authorization: `Bearer ${readFileSync(join(baseDir, 'mcp-token'), 'utf8').trim()}` });
  const first = start();
  let second: ReturnType<typeof start> | undefined;
  try {
    const before = clientOf(await first.url);
    const post = (json: object = {}) => ({ method: 'POST', json });
    const flow = await storeFlow(before, SPEC, (type) => type);

    const blocker = new pg.Client({ host: join(baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
    // The database ends with the server.
    blocker.on('error', () => {});
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE chat_message IN EXCLUSIVE MODE');
    const { id } = (await before.json<any>(`/api/v1/flows/${flow}/runs`, post())).body;
    const blocked = async () =>
      (await blocker.query("SELECT FROM pg_locks WHERE NOT granted AND relation = 'chat_message'::regclass")).rows
        .length;
    await expect.poll(blocked).toBe(1);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await blocker.end().catch(() => {});

    second = start();
    const after = clientOf(await second.url);
    const run = async () => (await after.json<any>(`/api/v1/runs/${id}`)).body.run;
    await expect.poll(async () => (await run()).status).toBe('completed');
    expect((await run()).undecided).toEqual([]);
    expect(await (await after.request(`/api/v1/runs/${id}/events`)).text()).toContain('run_resumed');
    const { body } = await after.json<any>(`/api/v1/flows/${flow}/sessions/letters/messages`);
    expect(body.messages.map(({ text }: any) => text)).toEqual(['the letter']);
  } finally {
    await Promise.all([first.stop(), second?.stop()]);
    rmSync(baseDir, { recursive: true, force: true, maxRetries: 5 });
  }
});
