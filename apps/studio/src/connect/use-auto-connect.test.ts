import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { settle as settled, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { useAutoConnect } from './use-auto-connect.ts';

const server = useFakeApi();
const page = usePage();
afterEach(() => void vi.useRealTimers());

const HEALTH = 'GET http://127.0.0.1:7655/health';
const CONNECT = 'POST http://127.0.0.1:7655/connect';

async function open({ resting = false, isLocal = true } = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const shown = { wanted: true, resting, visibility: 'visible' };
  vi.stubGlobal('isSecureContext', isLocal);
  vi.stubGlobal('location', new URL(isLocal ? 'http://localhost:7860/' : 'http://croft.test/'));
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => shown.visibility });
  const hook = await page.hook(() => useAutoConnect({ ...shown, token: () => Promise.resolve('t1') }));
  const settle = () =>
    act(async () => {
      for (let round = 0; round < 5; round++) await settled();
    });
  await settle();
  const pass = async (ms: number) => {
    await act(() => vi.advanceTimersByTimeAsync(ms));
    await settle();
  };
  const invited = () => server.requests.filter((each) => each.startsWith(CONNECT));
  return { hook, shown, pass, settle, invited };
}

it('invites the daemon that it finds once, with the token of this page', async () => {
  server.answer(HEALTH, { status: 'ok', connected: false });
  server.answer(CONNECT, {});
  const { hook, pass, invited } = await open();
  expect([hook.current.connecting, hook.current.problem]).toEqual([true, undefined]);
  await pass(20_000);
  expect(invited()).toEqual([`${CONNECT} {"url":"http://croft.test/base","token":"t1"}`]);
});

it('looks every five seconds while none is there, and not in the background', async () => {
  const { shown, pass } = await open();
  const looks = () => server.requests.filter((each) => each === HEALTH).length;
  expect(looks()).toBe(1);
  await pass(4_999);
  expect(looks()).toBe(1);
  await pass(1);
  expect(looks()).toBe(2);
  shown.visibility = 'hidden';
  await pass(20_000);
  expect(looks()).toBe(2);
});

it('leaves a daemon alone that is connected', async () => {
  server.answer(HEALTH, { status: 'ok', connected: true });
  const { hook, invited } = await open();
  expect([hook.current.connecting, invited()]).toEqual([false, []]);
});

it('says why the daemon refused, and does not invite it again', async () => {
  server.answer(HEALTH, { status: 'ok', connected: false });
  server.answer(CONNECT, () => Response.json({ error: 'Not this page.' }, { status: 403 }));
  const { hook, pass, invited } = await open();
  expect([hook.current.connecting, hook.current.problem]).toEqual([false, 'Not this page.']);
  await pass(20_000);
  expect(invited()).toHaveLength(1);
});

it('invites nothing after the user disconnected, or where the browser would ask, until the user does', async () => {
  server.answer(HEALTH, { status: 'ok', connected: false });
  server.answer(CONNECT, {});
  for (const options of [{ resting: true }, { isLocal: false }]) {
    server.requests.length = 0;
    const { hook, settle } = await open(options);
    expect(server.requests).toEqual([]);
    await act(async () => hook.current.ask());
    await settle();
    expect(server.requests[0]).toContain(CONNECT);
    hook.leave();
  }
});

it('forgets a refusal when the panel closes, and stops looking', async () => {
  server.answer(HEALTH, { status: 'ok', connected: false });
  server.answer(CONNECT, () => Response.json({ error: 'Not this page.' }, { status: 403 }));
  const { hook, shown, pass, invited } = await open();
  shown.wanted = false;
  hook.again();
  await pass(20_000);
  expect([hook.current.problem, invited().length]).toEqual([undefined, 1]);
  shown.wanted = true;
  hook.again();
  await pass(0);
  expect(invited()).toHaveLength(2);
});
