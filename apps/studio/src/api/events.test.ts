import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { settle, useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { fire, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { useServerEvents } from './events.ts';
import { announcedQuery, flowQuery } from './flows.ts';
import { gatewayQuery } from './gateway.ts';
import { restorePointsQuery } from './restore-points.ts';

const server = useFakeApi();
const sources = useFakeEvents();
const page = usePage();
afterEach(() => void vi.useRealTimers());

const LISTS = [
  ['files', 'list', ''],
  ['flows', 'list', '', ''],
  ['flows', 'tags'],
] as const;
const CHECK = 'GET /healthz';

async function open() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const client = testClient();
  const fill = () => {
    for (const queryKey of [...LISTS, ['other']]) client.setQueryData(queryKey, {});
  };
  fill();
  let visibility = 'visible';
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
  const hook = await page.hook(useServerEvents, inClient(client));
  const source = () => sources.at(-1) as NonNullable<(typeof sources)[number]>;
  const send = (name: string, data: unknown, id = '') => act(async () => source().send(data, id, name));
  const look = async (next: 'visible' | 'hidden') => {
    visibility = next;
    await fire(document, 'visibilitychange');
  };
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const invalid = () => LISTS.filter((key) => isInvalid(client, key)).map(([first, second]) => `${first} ${second}`);
  return { client, hook, source, send, look, pass, fill, invalid, begin: () => act(async () => source().open()) };
}
const lose = (link: { source: () => { fail: (state: 0 | 2) => void } }, state: 0 | 2) =>
  act(async () => {
    link.source().fail(state);
    await settle();
  });
const refetched = (client: QueryClient) => isInvalid(client, ['other']);

it('lets a list load where changes come more often than the server answers', async () => {
  const link = await open();
  await link.begin();
  const signals: AbortSignal[] = [];
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  for (const queryKey of LISTS) {
    const leave = new QueryObserver(link.client, { queryKey, queryFn }).subscribe(() => undefined);
    onTestFinished(leave);
  }
  for (const event of ['files', 'flows', 'reset', 'files', 'flows', 'reset']) {
    await link.send(event, { id: 'f1', version: 1 });
    await link.pass(400);
  }
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
});

it('is live once the stream is open, and reads what may have changed before', async () => {
  const link = await open();
  link.client.setQueryData(gatewayQuery.queryKey, {} as never);
  expect([link.hook.current.live, link.invalid()]).toEqual([false, []]);
  await link.begin();
  expect(link.hook.current).toMatchObject({ live: true, away: false });
  expect(link.invalid()).toEqual(['files list', 'flows list', 'flows tags']);
  expect([isInvalid(link.client, gatewayQuery.queryKey), refetched(link.client)]).toEqual([true, false]);
});

it('holds no connection in the background, and resumes after the last event', async () => {
  const link = await open();
  await link.begin();
  await link.send('files', {}, 'e7');
  await link.pass(400);
  await link.look('hidden');
  expect([link.source().readyState, link.hook.current.live, sources.length]).toEqual([2, false, 1]);
  await link.look('visible');
  expect(sources.map(({ url }) => new URL(url).search)).toEqual(['', '?lastEventId=e7']);
  link.fill();
  await link.begin();
  await link.pass(1_000);
  expect(link.invalid()).toEqual([]);
});

it('reads files again at the first and the last of many changes', async () => {
  const link = await open();
  const times = vi.spyOn(link.client, 'invalidateQueries');
  for (let count = 0; count < 5; count++) await link.send('files', {});
  expect(times).toHaveBeenCalledTimes(1);
  await link.pass(400);
  expect(times).toHaveBeenCalledTimes(2);
  await link.pass(2_000);
  expect(times).toHaveBeenCalledTimes(2);
  expect(link.invalid()).toEqual(['files list']);
});

it('takes the state of the machine from the event', async () => {
  const link = await open();
  await link.send('gateway', { connected: true });
  expect(link.client.getQueryData(gatewayQuery.queryKey)).toEqual({ connected: true });
  await link.send('gateway', '{broken');
  expect(link.client.getQueryData(gatewayQuery.queryKey)).toEqual({ connected: true });
});

it('reads everything again where the server no longer has the missed events', async () => {
  const link = await open();
  await link.send('reset', {});
  expect(refetched(link.client)).toBe(true);
});

it('announces the version of a flow to its page, and lists change with it', async () => {
  const link = await open();
  link.client.setQueryData(flowQuery('f').queryKey, { version: 3 } as never);
  link.client.setQueryData(restorePointsQuery('f').queryKey, []);
  await link.send('flows', { id: 'f', version: 3 });
  expect([
    link.client.getQueryData(announcedQuery('f').queryKey),
    isInvalid(link.client, flowQuery('f').queryKey),
  ]).toEqual([3, false]);
  expect(link.invalid()).toEqual(['flows list', 'flows tags']);
  expect(isInvalid(link.client, restorePointsQuery('f').queryKey)).toBe(true);
  await link.send('flows', { id: 'f', version: 4 });
  expect(isInvalid(link.client, flowQuery('f').queryKey)).toBe(true);
});

it('reads a flow again that was deleted or restored, and all where none is named', async () => {
  const link = await open();
  const both = [flowQuery('f').queryKey, flowQuery('g').queryKey];
  for (const key of both) link.client.setQueryData(key, { version: 3 } as never);
  await link.send('flows', { id: 'f', version: null });
  expect(both.map((key) => isInvalid(link.client, key))).toEqual([true, false]);
  await link.send('flows', { id: null, version: null });
  expect(both.map((key) => isInvalid(link.client, key))).toEqual([true, true]);
});

it('is away while the server does not answer, tries again less and less often, and reads everything when it is back', async () => {
  const link = await open();
  await link.begin();
  await lose(link, 0);
  expect([link.hook.current.live, link.hook.current.away, link.source().readyState]).toEqual([false, true, 2]);
  const tries = () => server.requests.filter((each) => each.startsWith(CHECK)).length;
  const before = tries();
  await link.pass(999);
  expect(tries() - before).toBe(0);
  await link.pass(1);
  expect(tries() - before).toBe(1);
  await link.pass(1_999);
  expect(tries() - before).toBe(1);
  await link.pass(1 + 4_000 + 8_000 + 8_000);
  expect(tries() - before).toBe(5);
  server.answer(CHECK, {});
  await link.pass(8_000);
  expect([link.hook.current.away, refetched(link.client), sources.length]).toEqual([false, true, 2]);
});

it('counts a failure of a proxy as no answer, and a refusal as one', async () => {
  const link = await open();
  server.answer(CHECK, () => new Response('', { status: 502 }));
  await lose(link, 0);
  expect(link.hook.current.away).toBe(true);
  const other = await open();
  server.answer(CHECK, () => new Response('', { status: 401 }));
  await lose(other, 0);
  expect(other.hook.current.away).toBe(false);
});

it('opens another stream where the server answers but sent no stream, later, and none while the browser tries itself', async () => {
  const link = await open();
  server.answer(CHECK, {});
  await lose(link, 0);
  await link.pass(9_000);
  expect(sources).toHaveLength(1);
  await lose(link, 2);
  await link.pass(4_999);
  expect(sources).toHaveLength(1);
  await link.pass(1);
  expect(sources).toHaveLength(2);
});

it('tries at once on request', async () => {
  const link = await open();
  await lose(link, 0);
  server.answer(CHECK, {});
  await act(async () => link.hook.current.tryNow());
  await link.pass(0);
  expect([link.hook.current.away, sources.length]).toEqual([false, 2]);
});

it('has one stream after the page was hidden while the server was away', async () => {
  const link = await open();
  await lose(link, 0);
  await link.look('hidden');
  await link.look('visible');
  server.answer(CHECK, {});
  await lose(link, 0);
  expect(sources.filter(({ readyState }) => readyState !== 2)).toHaveLength(1);
});

it('tries no more when the page is left', async () => {
  const link = await open();
  await lose(link, 0);
  link.hook.leave();
  const before = server.requests.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([server.requests.length - before, sources.length]).toEqual([0, 1]);
});
