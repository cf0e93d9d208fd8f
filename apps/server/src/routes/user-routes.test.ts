import { beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import type { Db } from '../store/database.ts';
import { makeUserRoutes, type UserRouteOptions } from './user-routes.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['ur-ann', 'ur-bob']);

const USER = {
  id: 'ur-new',
  name: 'New',
  email: 'n@test',
  role: 'user',
  disabled: true,
  createdAt: new Date('2026-01-02T03:04:05Z'),
} as const;
const SHOWN = { ...USER, createdAt: '2026-01-02T03:04:05.000Z' };
const countedAt = new Date('2026-02-03T04:05:06Z');
let calls: unknown[][];
let settings: UserRouteOptions['settings'];
let known: boolean;
beforeEach(() => {
  calls = [];
  settings = { autoLogin: false, userQuotaBytes: undefined };
  known = true;
});
const call = (target: string, ask: object = {}) =>
  routeCaller(
    makeUserRoutes({
      accounts: {
        create: async (body: object) => (calls.push(['create', body]), USER),
        update: async (id: string, body: object) => (calls.push(['update', id, body]), known ? USER : undefined),
        remove: async (id: string) => (calls.push(['remove', id]), known),
      },
      settings,
      storage: async () => db,
      userTouches: { flush: async () => undefined },
      storageSurvey: {
        read: (ids: readonly string[]) => (id: string) =>
          ids.includes(id) && id === 'ur-ann' ? { bytes: 7, countedAt } : undefined,
      },
    } as unknown as UserRouteOptions),
  )(target, { caller: { userId: 'ur-ann', role: 'admin', via: 'session' }, ...ask });

const NEW = { name: 'New', email: 'n@test', password: 'a new password' };

describe('the list of users', () => {
  it('has the activity, flows and storage of each', async () => {
    const { body } = await call('GET /api/v1/users');
    const of = (id: string) => body.users.find((each: { id: string }) => each.id === id);
    expect(of('ur-ann')).toEqual({
      id: 'ur-ann',
      name: 'ur-ann',
      email: 'ur-ann@example.test',
      role: 'user',
      disabled: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      lastActiveAt: null,
      flows: 0,
      storage: { bytes: 7, countedAt: '2026-02-03T04:05:06.000Z' },
    });
    expect(of('ur-bob')).toMatchObject({ storage: null });
    expect(body.quotaBytes).toBeNull();
    settings = { autoLogin: false, userQuotaBytes: 5 };
    expect((await call('GET /api/v1/users')).body.quotaBytes).toBe(5);
  });
});

describe('a change of users', () => {
  it('creates, changes and removes', async () => {
    expect(await call('POST /api/v1/users', { json: NEW })).toMatchObject({ status: 201, body: { user: SHOWN } });
    expect(await call('PATCH /api/v1/users/ur-new', { json: { disabled: true } })).toMatchObject({
      status: 200,
      body: { user: SHOWN },
    });
    expect((await call('DELETE /api/v1/users/ur-new')).body).toEqual({ id: 'ur-new' });
    expect(calls).toEqual([
      ['create', { ...NEW, role: 'user' }],
      ['update', 'ur-new', { disabled: true }],
      ['remove', 'ur-new'],
    ]);
  });

  it('refuses to change or remove an unknown user', async () => {
    known = false;
    const error = { code: 'not_found', message: 'There is no such user.' };
    for (const [target, ask] of [
      ['PATCH /api/v1/users/x', { json: {} }],
      ['DELETE /api/v1/users/x', {}],
    ] as const)
      expect(await call(target, ask)).toMatchObject({ status: 404, body: { error } });
  });

  it('does not remove the own account', async () => {
    expect((await call('DELETE /api/v1/users/ur-ann')).body.error).toEqual({
      code: 'own_account',
      message: 'You cannot remove yourself.',
    });
    expect(calls).toEqual([]);
  });

  it('is not for a server without accounts', async () => {
    settings = { autoLogin: true, userQuotaBytes: undefined };
    for (const [target, ask] of [
      ['POST /api/v1/users', { json: NEW }],
      ['PATCH /api/v1/users/x', { json: {} }],
      ['DELETE /api/v1/users/x', {}],
    ] as const)
      expect((await call(target, ask)).body.error).toEqual({
        code: 'auto_login',
        message: 'This server has one local user. Start it with CROFT_AUTO_LOGIN=false to have accounts.',
      });
    expect(calls).toEqual([]);
  });
});
