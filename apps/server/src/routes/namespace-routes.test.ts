import { beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import type { Db } from '../store/database.ts';
import { makeNamespaceRoutes, type NamespaceRouteOptions } from './namespace-routes.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['nr-ann', 'nr-bob']);
let mode: string;
let sent: unknown[];
let described: string[];
beforeEach(() => {
  mode = 'off';
  sent = [];
  described = [];
});
const call = (target: string, autoLogin = false, ask: object = {}) =>
  routeCaller(
    makeNamespaceRoutes({
      events: { sendAll: (event: object) => void sent.push(event) },
      files: { describe: (userId: string) => (described.push(userId), { of: userId }) },
      settings: { autoLogin },
      sharedMount: { mode: () => mode, set: (next: string) => void (mode = next) },
      storage: async () => db,
    } as unknown as NamespaceRouteOptions),
    { checksResponses: false },
  )(target, { caller: { userId: 'nr-ann', role: 'admin', via: 'session' }, ...ask });
const PATH = '/api/v1/namespace';
const SHARED = '/api/v1/shared-mount';

describe('the namespace of a user', () => {
  it('is that of the caller, or of a user that there is', async () => {
    expect((await call(`GET ${PATH}`)).body).toEqual({ of: 'nr-ann' });
    expect((await call(`GET ${PATH}?user=nr-bob`)).body).toEqual({ of: 'nr-bob' });
    expect(await call(`GET ${PATH}?user=none`)).toMatchObject({
      status: 404,
      body: { error: { message: 'There is no such user.' } },
    });
    expect(described).toEqual(['nr-ann', 'nr-bob']);
  });
});

describe('the mount of the shared files', () => {
  it('is set by an admin, and open pages read the files again', async () => {
    expect((await call(`GET ${SHARED}`)).body).toEqual({ mode: 'off' });
    expect((await call(`PUT ${SHARED}`, false, { json: { mode: 'read' } })).body).toEqual({ mode: 'read' });
    expect(mode).toBe('read');
    expect(sent).toEqual([{ event: 'files', data: {} }]);
  });

  it('is missing without accounts, where the shared files are the tree', async () => {
    expect((await call(`GET ${SHARED}`, true)).status).toBe(404);
    expect((await call(`GET ${PATH}`, true)).status).toBe(200);
  });
});
