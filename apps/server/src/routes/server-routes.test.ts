import { beforeEach, expect, it } from 'vitest';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { makeServerRoutes, type ServerRouteOptions } from './server-routes.ts';

let state: object;
let opened: unknown[][];
let identified: string | undefined;
beforeEach(() => {
  state = { database: 'up' };
  opened = [];
  identified = 'ann';
});
const call = (target: string, more: Partial<ServerRouteOptions> = {}, ask: object = {}) =>
  routeCaller(
    makeServerRoutes({
      events: { open: (userId: string, _: unknown, options: object) => void opened.push([userId, options]) },
      checkReady: async () => state,
      hub: { loadStatus: async (userId: string) => ({ of: userId }) },
      identify: async () => identified && { caller: { userId: identified } },
      packedCli: undefined,
      version: '1.2.3',
      ...more,
    } as unknown as ServerRouteOptions),
    { checksResponses: false },
  )(target, ask);

it('is healthy', async () => {
  expect(await call('GET /healthz', {}, { caller: 'nobody' })).toMatchObject({
    status: 200,
    body: { status: 'ok', version: '1.2.3' },
  });
});

it('is ready, or says what it waits for and when to ask again', async () => {
  expect(await call('GET /readyz')).toMatchObject({
    status: 200,
    body: { status: 'ok', version: '1.2.3', database: 'up' },
  });
  state = { waitingFor: 'database', more: 1 };
  const waiting = await call('GET /readyz');
  expect([waiting.status, waiting.body, waiting.headers.get('retry-after')]).toEqual([
    503,
    { status: 'not_ready', version: '1.2.3', waitingFor: 'database' },
    '1',
  ]);
});

it('gives its packed command line where it has one', async () => {
  expect((await call('GET /dl/croft.tgz')).body.error).toEqual({
    code: 'not_found',
    message: 'This server has no packed command line. Install croft instead.',
  });
  const { headers, text } = await call('GET /dl/croft.tgz', { packedCli: async () => Buffer.from('packed') });
  expect([text, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    'packed',
    'application/gzip',
    'no-cache',
  ]);
});

it('opens events of the caller with the state of the machine, while the caller has the session', async () => {
  const path = 'GET /api/v1/events';
  await call(path, {}, { headers: { 'last-event-id': '5' } }).catch(() => undefined);
  await call(`${path}?lastEventId=7`).catch(() => undefined);
  expect(opened.map(([userId]) => userId)).toEqual(['ann', 'ann']);
  const [one, two] = opened.map(([, options]) => options) as {
    first: object[];
    lastEventId: unknown;
    isValid: () => Promise<boolean>;
  }[];
  expect(one?.first).toEqual([{ event: 'gateway', data: { of: 'ann' } }]);
  expect(one?.lastEventId).not.toEqual(two?.lastEventId);
  expect(await one?.isValid()).toBe(true);
  identified = 'bob';
  expect(await one?.isValid()).toBe(false);
  identified = undefined;
  expect(await one?.isValid()).toBe(false);
});
