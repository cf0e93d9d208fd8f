import { afterEach, expect, it, vi } from 'vitest';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { findLatestRun, followRun, queueRun, startRun } from './follow-run.ts';
import { createRunStore } from './run-store.ts';

const server = useFakeApi();
const sources = useFakeEvents();
afterEach(() => vi.useRealTimers());

const stored = (more: object) => ({
  run: {
    status: 'completed',
    metrics: null,
    text: 'Done',
    failure: null,
    timeline: [],
    questions: [],
    undecided: [],
    ...more,
  },
});

function follow() {
  const store = createRunStore();
  const leave = followRun('r1', store);
  const source = sources.at(-1);
  if (!source) throw new Error('Nothing is followed.');
  return { store, leave, source };
}

it('starts a run and gives its id, or queues one that can wait', async () => {
  server.answer('POST /api/v1/flows/f/run/stream', new Response('', { headers: { 'Croft-Run-Id': 'r1' } }));
  server.answer('POST /api/v1/flows/f/runs', { id: 'r2' });
  expect([await startRun('f', { from: 'canvas' }), await queueRun('f', { from: 'canvas' })]).toEqual(['r1', 'r2']);
  expect(server.requests[1]).toBe('POST /api/v1/flows/f/runs {"from":"canvas"}');
  server.answer('POST /api/v1/flows/f/run/stream', {});
  await expect(startRun('f', {})).rejects.toMatchObject({ code: 'bad_answer' });
});

it('passes the events to the store, up to the end', () => {
  const { store, source } = follow();
  expect(source.url).toBe('http://croft.test/base/api/v1/runs/r1/events');
  const events = [
    { kind: 'run_started', nodes: 1 },
    { kind: 'node_started', node: 'a', path: '', inputs: {} },
  ];
  for (const event of events) source.send(event, '', event.kind);
  expect(store.flush()).toMatchObject({ status: 'running', nodes: { a: { status: 'running' } } });
  expect(source.readyState).toBe(1);
  source.send({ kind: 'run_finished', status: 'completed', text: 'x', metrics: {} }, '', 'run_finished');
  expect([store.get().status, source.readyState]).toEqual(['completed', 2]);
});

it('reads the questions of a run that waits: its event has only their keys', async () => {
  const { store, source } = follow();
  const question = { key: 'k', node: 'h', text: 'Go on?', options: [], answer: null };
  server.answer('GET /api/v1/runs/r1', stored({ status: 'waiting', questions: [question] }));
  source.send({ kind: 'run_started', nodes: 1 }, '', 'run_started');
  source.send({ kind: 'run_waiting' }, '', 'run_waiting');
  await vi.waitFor(() => expect(store.get().questions).toEqual([question]));
});

it('reads the run from the history where its events are gone, and keeps what the page knows', async () => {
  const { store, source } = follow();
  store.set({ ...store.get(), inputs: { i: { text: 'x' } } as never, stored: 'r1' });
  server.answer('GET /api/v1/runs/r1', stored({}));
  source.fail(0);
  await settle();
  expect(server.requests).toEqual([]);
  source.fail(2);
  await vi.waitFor(() => expect(store.get().status).toBe('completed'));
  expect(store.get()).toMatchObject({ text: 'Done', inputs: { i: { text: 'x' } }, stored: 'r1' });
  source.fail(2);
  await settle();
  expect(server.requests).toHaveLength(1);
});

it('looks again while another server runs it, until the page is left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { store, leave, source } = follow();
  server.answer('GET /api/v1/runs/r1', stored({ status: 'running' }));
  source.fail(2);
  await settle();
  expect(store.get().status).toBe('running');
  await vi.advanceTimersByTimeAsync(2_999);
  expect(server.requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await settle();
  expect(server.requests).toHaveLength(2);
  leave();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(server.requests).toHaveLength(2);
});

it.each([
  ['does not answer', () => Promise.reject(new Error('no network'))],
  ['is busy', refusal(429, 'busy')],
  ['restarts behind a proxy', refusal(502, 'bad_gateway')],
  ['asks to sign in', refusal(401, 'not_signed_in')],
])('keeps the run and reads it again where the server %s', async (_, answer) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { store, source } = follow();
  source.send({ kind: 'node_started', node: 'a', path: '', inputs: {} }, '', 'node_started');
  source.send({ kind: 'run_started', nodes: 1 }, '', 'run_started');
  const shown = store.flush();
  server.answer('GET /api/v1/runs/r1', answer);
  source.fail(2);
  await settle();
  expect(store.get()).toBe(shown);
  server.answer('GET /api/v1/runs/r1', stored({}));
  await vi.advanceTimersByTimeAsync(3_000);
  await settle();
  expect(store.get().status).toBe('completed');
});

it('reads the questions again where one request failed, and goes on with the events', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { store, source } = follow();
  const question = { key: 'k', node: 'h', text: 'Go on?', options: [], answer: null };
  server.answer('GET /api/v1/runs/r1', refusal(503, 'starting'));
  source.send({ kind: 'run_waiting' }, '', 'run_waiting');
  await settle();
  server.answer('GET /api/v1/runs/r1', stored({ status: 'waiting', questions: [question] }));
  await vi.advanceTimersByTimeAsync(3_000);
  await settle();
  expect([store.get().questions, source.readyState]).toEqual([[question], 1]);
});

it('says that the run cannot be read, unless it was left meanwhile', async () => {
  const one = follow();
  server.answer('GET /api/v1/runs/r1', refusal(404, 'not_found'));
  one.source.fail(2);
  await vi.waitFor(() =>
    expect(one.store.get()).toMatchObject({ status: 'interrupted', failure: { fix: 'Reload the page.' } }),
  );
  const two = follow();
  two.source.fail(2);
  two.leave();
  await settle();
  expect(two.store.get().status).not.toBe('interrupted');
  const three = follow();
  three.source.send({ kind: 'run_waiting' }, '', 'run_waiting');
  three.leave();
  await settle();
  expect(three.store.flush().status).not.toBe('interrupted');
});

it('closes the stream when it is left, and a late answer changes nothing', async () => {
  const { store, leave, source } = follow();
  server.answer('GET /api/v1/runs/r1', stored({}));
  source.fail(2);
  leave();
  await settle();
  expect([source.readyState, store.get().status]).toEqual([2, createRunStore().get().status]);
});

it('finds the latest run of a flow', async () => {
  server.answer('GET /api/v1/runs?flow=f&limit=1', { runs: [{ id: 'r', status: 'waiting' }] });
  expect(await findLatestRun('f')).toEqual({ id: 'r', isUnderWay: true });
  server.answer('GET /api/v1/runs?flow=f&limit=1', { runs: [{ id: 'r', status: 'failed' }] });
  expect(await findLatestRun('f')).toEqual({ id: 'r', isUnderWay: false });
  server.answer('GET /api/v1/runs?flow=f&limit=1', { runs: [] });
  expect(await findLatestRun('f')).toBeUndefined();
});
