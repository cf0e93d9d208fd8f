import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { fire, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { usePairing } from './use-pairing.ts';

const server = useFakeApi();
const page = usePage();
afterEach(() => void vi.useRealTimers());
const ROUTE = 'POST /instance-ai/gateway/create-link';

async function open({ ttlSeconds = 300, visibility = 'visible' } = {}) {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date', 'setInterval', 'clearInterval'] });
  let count = 0;
  const answer = () => server.answer(ROUTE, () => ({ command: `connect ${++count}`, token: `t${count}`, ttlSeconds }));
  answer();
  const shown = { wanted: true, visibility };
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => shown.visibility });
  const hook = await page.hook(() => usePairing(shown.wanted), inClient(testClient()));
  const settle = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));
  await settle();
  const pass = async (ms: number) => {
    await act(async () => void vi.advanceTimersByTime(ms));
    await settle();
  };
  return { hook, shown, pass, settle, answer };
}

it('asks for the open token, and for a new one when it has ended', async () => {
  const { hook, pass } = await open();
  expect([hook.current.command, hook.current.leftS]).toEqual(['connect 1', 300]);
  await pass(299_000);
  expect(server.requests).toEqual([`${ROUTE} {"renew":false}`]);
  await pass(2_000);
  expect([hook.current.command, server.requests.at(-1)]).toEqual(['connect 2', `${ROUTE} {"renew":true}`]);
});

it('replaces a token that ends soon before it is copied, and no other', async () => {
  const { hook, pass } = await open();
  await pass(239_000);
  expect([await hook.current.fresh(), await hook.current.token()]).toEqual(['connect 1', 't1']);
  await pass(1_000);
  let copied: string | undefined;
  await act(async () => void (copied = await hook.current.fresh()));
  expect([copied, server.requests.at(-1)]).toEqual(['connect 2', `${ROUTE} {"renew":true}`]);
  await pass(250_000);
  await act(async () => void (copied = await hook.current.token()));
  expect(copied).toBe('t3');
});

it('asks for nothing in the background, until the page is visible', async () => {
  const { shown, settle } = await open({ visibility: 'hidden' });
  expect(server.requests).toEqual([]);
  shown.visibility = 'visible';
  await fire(document, 'visibilitychange');
  await settle();
  expect(server.requests).toHaveLength(1);
});

it('forgets the token when the panel closes, and asks again when it opens', async () => {
  const { hook, shown, settle } = await open();
  shown.wanted = false;
  hook.again();
  await settle();
  expect([hook.current.command, hook.current.leftS]).toEqual([undefined, 0]);
  shown.wanted = true;
  hook.again();
  await settle();
  expect(hook.current.command).toBe('connect 2');
});

it('shows a failure, and does not ask again until the person does', async () => {
  const { hook, pass, answer } = await open({ ttlSeconds: 1 });
  server.answer(ROUTE, refusal(429, 'busy', 'Too many links.'));
  await pass(2_000);
  expect(hook.current.error).toMatchObject({ code: 'busy' });
  const { length } = server.requests;
  await pass(9_000);
  expect(server.requests).toHaveLength(length);
  answer();
  await act(async () => void (await hook.current.renew()));
  expect(hook.current.error).toBeNull();
});
