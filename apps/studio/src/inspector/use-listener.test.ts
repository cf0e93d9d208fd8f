import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { useListener } from './use-listener.ts';

const server = useFakeApi();
const page = usePage();
const LISTENER = '/api/v1/webhooks/w/listener';
const CLOSE = `DELETE ${LISTENER}`;

async function open() {
  server.answer(`POST ${LISTENER}`, {});
  server.answer(CLOSE, {});
  const received: unknown[] = [];
  const hook = await page.hook(() => useListener((request) => received.push(request)));
  return { hook, received };
}

it('waits for the next request, hands it on, and lets later ones start runs again', async () => {
  const { hook, received } = await open();
  const request = { receivedAt: '2026-01-01T00:00:00Z' };
  let count = 0;
  server.answer(`GET ${LISTENER}`, () => (++count < 3 ? { status: 'waiting' } : { status: 'captured', request }));
  await act(() => hook.current.start('w'));
  expect([hook.current.state, received]).toEqual([{ kind: 'captured', at: request.receivedAt }, [request]]);
  const wait = `GET ${LISTENER}?wait=20`;
  expect(server.requests).toEqual([`POST ${LISTENER} {"seconds":300}`, wait, wait, wait, CLOSE]);
});

it('says that none came in time, or why it cannot wait', async () => {
  const { hook, received } = await open();
  server.answer(`GET ${LISTENER}`, { status: 'expired', request: null });
  await act(() => hook.current.start('w'));
  expect([hook.current.state, received]).toEqual([{ kind: 'expired' }, []]);
  server.answer(`POST ${LISTENER}`, refusal(404, 'gone', 'There is no such webhook.'));
  await act(() => hook.current.start('w'));
  expect(hook.current.state).toEqual({ kind: 'failed', message: 'There is no such webhook.' });
});

it.each(['stop', 'leave'] as const)('stops waiting on %s, and takes nothing afterwards', async (how) => {
  const { hook, received } = await open();
  let answer: (value: unknown) => void = () => undefined;
  server.answer(`GET ${LISTENER}`, () => new Promise((resolve) => (answer = resolve)));
  let started: Promise<void> | undefined;
  await act(async () => void (started = hook.current.start('w')));
  await vi.waitFor(() => expect(server.requests).toHaveLength(2));
  expect(hook.current.state).toEqual({ kind: 'waiting' });
  if (how === 'leave') hook.leave();
  else await act(async () => hook.current.stop());
  answer({ status: 'captured', request: { receivedAt: '' } });
  await started;
  expect([received, server.requests.filter((each) => each === CLOSE).length]).toEqual([[], 1]);
  if (how === 'stop') expect(hook.current.state).toEqual({ kind: 'idle' });
});

it('waits for one webhook at a time, and hands the request to the newest reader', async () => {
  server.answer(`POST ${LISTENER}`, {});
  server.answer('POST /api/v1/webhooks/v/listener', {});
  server.answer(CLOSE, {});
  server.answer('DELETE /api/v1/webhooks/v/listener', {});
  let first: (value: unknown) => void = () => undefined;
  server.answer(`GET ${LISTENER}`, () => new Promise((resolve) => (first = resolve)));
  const request = { receivedAt: 'now' };
  server.answer('GET /api/v1/webhooks/v/listener', { status: 'captured', request });
  const received: string[] = [];
  let reader = 'a';
  const hook = await page.hook(() => {
    const name = reader;
    return useListener(() => received.push(name));
  });
  expect(hook.current.state).toEqual({ kind: 'idle' });
  let started: Promise<void> | undefined;
  await act(async () => void (started = hook.current.start('w')));
  await vi.waitFor(() => expect(server.requests).toHaveLength(2));
  reader = 'b';
  hook.again();
  await act(() => hook.current.start('v'));
  first({ status: 'captured', request: { receivedAt: 'late' } });
  await started;
  expect([hook.current.state, received]).toEqual([{ kind: 'captured', at: 'now' }, ['b']]);
  expect(server.requests.filter((each) => each.startsWith('DELETE'))).toEqual([
    CLOSE,
    'DELETE /api/v1/webhooks/v/listener',
  ]);
});

it('closes a webhook that fails, and none that waits for nothing', async () => {
  const { hook } = await open();
  await act(async () => hook.current.stop());
  expect(server.requests).toEqual([]);
  server.answer(`GET ${LISTENER}`, refusal(500, 'broken', 'It broke.'));
  server.answer(CLOSE, refusal(500, 'broken'));
  await act(() => hook.current.start('w'));
  expect(hook.current.state).toEqual({ kind: 'failed', message: 'It broke.' });
  expect(server.requests.at(-1)).toBe(CLOSE);
  hook.leave();
  expect(server.requests.filter((each) => each === CLOSE)).toHaveLength(1);
});
