import { afterEach, expect, it } from 'vitest';
import type { HubEvent } from './hub-options.ts';
import { memoryGatewayStore, postTo, serveTestHub, type TestHub, type TestHubOptions } from './testing.ts';

let served: TestHub;
const events: HubEvent[] = [];
afterEach(async () => {
  events.splice(0);
  await served.close();
});
async function start(options: TestHubOptions = {}) {
  served = await serveTestHub({ log: (event) => events.push(event), ...options });
}
const send = (path: string, more: Parameters<typeof postTo>[1] = {}) => postTo(`${served.base}/gateway/${path}`, more);

it('refuses another method with the right one, and a page without a user', async () => {
  await start();
  const wrong = await send('status', { user: 'ann' });
  expect([wrong.status, wrong.headers.allow, wrong.body.code]).toEqual([405, 'GET', 'bad_method']);
  expect((await send('status', { method: 'GET' })).status).toBe(401);
  expect((await send('status', { method: 'GET', user: 'ann' })).status).toBe(200);
  expect(events).toEqual([
    { event: 'refused', path: 'status', status: 405, code: 'bad_method' },
    { event: 'refused', path: 'status', status: 401, code: 'not_signed_in' },
  ]);
});

it('asks machines for a key and not for a user', async () => {
  await start();
  expect((await send('alive', { user: 'ann' })).body.code).toBe('missing_key');
});

it('passes on a refusal of the host', async () => {
  await start();
  const refused = await send('status', { method: 'GET', headers: { cookie: 'too many' } });
  expect([refused.status, refused.body.code, events[0]?.event]).toEqual([429, 'slow_down', 'refused']);
});

it('hides a failure, and gives it to the log', async () => {
  const error = new Error('the secret of the database');
  const store = { ...memoryGatewayStore(), savePairing: () => Promise.reject(error) };
  await start({ store });
  const failed = await send('create-link', { user: 'ann' });
  expect([failed.status, JSON.stringify(failed.body)]).toEqual([500, expect.not.stringContaining('secret')]);
  expect(events).toEqual([{ event: 'failed', path: 'create-link', error }]);
});

it('logs it as a failure where the host cannot serve', async () => {
  const error = Object.assign(new Error('The disk is full'), { status: 507, code: 'disk_full' });
  await start({ store: { ...memoryGatewayStore(), savePairing: () => Promise.reject(error) } });
  expect([(await send('create-link', { user: 'ann' })).status, events[0]?.event]).toEqual([507, 'failed']);
});

it.each([
  [499, 'refused'],
  [503, 'failed'],
])('logs a refusal of the host with the status %i as %s', async (status, event) => {
  const error = Object.assign(new Error('The host says no'), { status, code: 'host_code' });
  await start({ store: { ...memoryGatewayStore(), savePairing: () => Promise.reject(error) } });
  const { status: sent, body } = await send('create-link', { user: 'ann' });
  expect([sent, body.code, events[0]?.event]).toEqual([status, 'host_code', event]);
});

it('refuses all requests while the hub closes', async () => {
  await start();
  await served.hub.close();
  expect((await send('status', { method: 'GET', user: 'ann' })).status).toBe(503);
});
