import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { LocalAccessState } from '../files/local-access.ts';
import type { Caller } from '../identity.ts';
import { LOCAL_USER_ID } from '../local-user.ts';
import { makeLocalAccessRoutes } from './local-access-routes.ts';

const LOCAL: Caller = { userId: LOCAL_USER_ID, role: 'admin', via: 'local' };
const ADMIN: Caller = { userId: 'ann', role: 'admin', via: 'session' };

/** Requests to a server on which directories may be chosen. */
function start(state: LocalAccessState['state'] = 'setup', settings: object = {}) {
  const chosen: unknown[] = [];
  const stateNow = { state, directory: null, canChange: true };
  const ask = routeCaller(
    makeLocalAccessRoutes({
      localAccess: {
        state: () => stateNow,
        choose: (directory) => {
          chosen.push(directory);
          return { ...stateNow, state: 'on', directory };
        },
      },
      settings: { baseDir: testDir(), host: '127.0.0.1', publicUrl: undefined, ...settings },
    }),
  );
  const pick = async (caller: Caller = LOCAL, headers: Record<string, string> = {}) => {
    const { status, body } = await ask('POST /api/v1/local-access/picking', { caller, json: {}, headers });
    return { status, picking: body.picking as string, code: body.error?.code };
  };
  return { ask, pick, chosen };
}

it('lets only the local user choose the directory that agents may read', async () => {
  const { ask, chosen } = start();
  const choose = (caller: Caller) => ask('PUT /api/v1/local-access', { caller, json: { directory: '/home' } });
  expect((await choose(LOCAL)).body).toMatchObject({ state: 'on', directory: '/home' });
  expect((await choose(ADMIN)).status).toBe(403);
  expect((await choose({ ...LOCAL, userId: 'ann' })).status).toBe(403);
  expect(chosen).toEqual(['/home']);
  expect((await ask('GET /api/v1/local-access', { caller: ADMIN })).body.state).toBe('setup');
});

it('lists directories while one is chosen, and not after', async () => {
  const { ask, pick } = start();
  const dir = testDir();
  mkdirSync(join(dir, 'inner'));
  const { picking } = await pick();
  const list = () => ask('POST /api/v1/local-access/directories', { caller: LOCAL, json: { picking, path: dir } });
  expect((await list()).body).toMatchObject({ path: dir, directories: ['inner'] });
  await ask('PUT /api/v1/local-access', { caller: LOCAL, json: { directory: dir } });
  expect((await list()).body.error.code).toBe('not_picking');
});

it('shows no directories to others', async () => {
  const { pick } = start();
  expect((await pick(ADMIN)).code).toBe('forbidden');
  expect((await pick(LOCAL, { 'x-forwarded-for': '10.0.0.1' })).code).toBe('forbidden');
  expect((await pick(LOCAL, { via: '1.1 proxy' })).code).toBe('forbidden');
  expect((await start('setup', { host: '0.0.0.0' }).pick()).code).toBe('forbidden');
  expect((await start('setup', { publicUrl: 'https://croft.example' }).pick()).code).toBe('forbidden');
});

it('shows no directories once one is in use, or none can be chosen', async () => {
  for (const state of ['on', 'off'] as const) expect((await start(state).pick()).code).toBe('cannot_change');
});
