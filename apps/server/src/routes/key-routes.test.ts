import { describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import type { Db } from '../store/database.ts';
import { makeKeyRoutes } from './key-routes.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['kr-ann', 'kr-bob']);
const call = (target: string, ask: object = {}, userId = 'kr-ann') =>
  routeCaller(makeKeyRoutes({ storage: async () => db }))(target, {
    caller: { userId, role: 'user', via: 'session' },
    ...ask,
  });
const create = (name: string) => call('POST /api/v1/keys', { json: { name } });

describe('the keys of the caller', () => {
  it('are created with a secret that no list shows', async () => {
    const { status, body } = await create('agent');
    expect(status).toBe(201);
    expect(body.secret).toMatch(/^croft_/);
    expect(body.key).toMatchObject({ name: 'agent', lastUsedAt: null });
    expect(new Date(body.key.createdAt).toISOString()).toBe(body.key.createdAt);
    const listed = await call('GET /api/v1/keys');
    expect(listed.body.keys).toEqual([body.key]);
    expect(listed.text).not.toContain(body.secret);
    expect((await call('GET /api/v1/keys', {}, 'kr-bob')).body.keys).toEqual([]);
  });

  it('are revoked by their owner only', async () => {
    const { body } = await create('other');
    const { id } = body.key;
    expect(await call(`DELETE /api/v1/keys/${id}`, {}, 'kr-bob')).toMatchObject({
      status: 404,
      body: { error: { message: 'You have no such key.' } },
    });
    expect((await call(`DELETE /api/v1/keys/${id}`)).body).toEqual({ id });
    expect((await call(`DELETE /api/v1/keys/${id}`)).status).toBe(404);
  });
});

it('shows how clients connect, with a placeholder and no slash behind the address', async () => {
  const of = async (over = '') => (await call(`GET /api/v1/mcp-clients?url=https://croft.test//${over}`)).body;
  const files = await of();
  expect(files.placeholder).toBe('croft_…');
  expect(files.clients.length).toBeGreaterThan(3);
  const text = JSON.stringify(files.clients);
  expect(text).toMatch(/https:\/\/croft\.test\/mcp(?!\/flows)/);
  expect(text).not.toContain('croft.test//');
  expect(text).toContain('croft_…');
  expect(JSON.stringify((await of('&over=flows')).clients)).toContain('https://croft.test/mcp/flows');
});
