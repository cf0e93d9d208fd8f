import { emptyFlow } from '@croft/flow';
import { act } from 'react';
import { expect, it } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { hidable, usePage } from '../testing/page.ts';
import { isBeginning } from './run-state.ts';
import { useFlowRun } from './use-flow-run.ts';

const server = useFakeApi();
const sources = useFakeEvents();
const page = usePage();
const flow = { document: emptyFlow('f'), version: 4 };
const open = () => page.hook(() => useFlowRun('f', flow, 'canvas'));
const end = () =>
  sources.at(-1)?.send({ kind: 'run_finished', status: 'completed', text: '', metrics: {} }, '', 'run_finished');
/** The hook in a page that the end of a session hides. */
async function openHidable() {
  const { host, hide, show } = hidable();
  const hook = await page.hook(() => useFlowRun('f', flow, 'canvas'), host);
  return { current: () => hook.current, hide, show };
}
const latest = (runs: unknown[]) => server.answer('GET /api/v1/runs?flow=f&limit=1', { runs });

it('follows the run that is under way when the page opens, until the page is left', async () => {
  latest([{ id: 'r1', status: 'running' }]);
  const { current, leave } = await open();
  expect(sources.map(({ url }) => url)).toEqual(['http://croft.test/base/api/v1/runs/r1/events']);
  expect(current.store.get()).toMatchObject({ status: 'starting', stored: 'r1' });
  leave();
  expect(sources[0]?.readyState).toBe(2);
});

it('knows the last run that has ended, and begins nothing', async () => {
  latest([{ id: 'r1', status: 'failed' }]);
  const { current } = await open();
  expect([current.store.get().stored, current.store.get().status, sources.length]).toEqual(['r1', 'none', 0]);
});

it('starts or queues a run of this page with its inputs, and says why it did not begin', async () => {
  latest([]);
  const { current } = await open();
  server.answer('POST /api/v1/flows/f/run/stream', new Response('', { headers: { 'Croft-Run-Id': 'r2' } }));
  server.answer('POST /api/v1/flows/f/runs', { id: 'r3' });
  await act(() => current.run({ inputs: { i: { text: 'x' } } } as never, false));
  expect(current.store.get()).toMatchObject({ status: 'starting', stored: 'r2', inputs: { i: { text: 'x' } } });
  end();
  await act(() => current.run({}, true));
  expect(server.requests.slice(1)).toEqual([
    'POST /api/v1/flows/f/run/stream {"inputs":{"i":{"text":"x"}},"from":"canvas"}',
    'POST /api/v1/flows/f/runs {"from":"canvas"}',
  ]);
  expect(sources.map(({ readyState }) => readyState)).toEqual([2, 1]);
  end();
  server.answer('POST /api/v1/flows/f/runs', refusal(429, 'busy', 'Too many runs.'));
  await act(() => current.run({}, true));
  expect(current.store.get()).toMatchObject({ status: 'failed', failure: { message: 'Too many runs.' } });
});

it('starts one run for several presses, also while it waits for the changes of the flow', async () => {
  latest([]);
  const { current } = await open();
  server.answer('POST /api/v1/flows/f/runs', { id: 'r1' });
  let save: (isSaved: boolean) => void = () => undefined;
  const prepare = () => new Promise<boolean>((resolve) => (save = resolve));
  const first = current.run({}, true, prepare);
  expect(isBeginning(current.store.get())).toBe(true);
  const others = [current.run({}, true, prepare), current.run({}, true)];
  save(true);
  await Promise.all(others);
  await first;
  await current.run({}, true);
  expect(server.requests.slice(1)).toEqual(['POST /api/v1/flows/f/runs {"from":"canvas"}']);
  expect(isBeginning(current.store.get())).toBe(false);
});

it('shows the run before where the changes are not saved, and a run that another client began meanwhile', async () => {
  latest([]);
  const { current } = await open();
  const before = current.store.get();
  await current.run({}, true, async () => false);
  expect(current.store.get()).toBe(before);
  let save: (isSaved: boolean) => void = () => undefined;
  const run = current.run({}, true, () => new Promise<boolean>((resolve) => (save = resolve)));
  await act(async () => current.follow('r9', 6));
  save(true);
  await run;
  expect([current.store.get().stored, server.requests.length]).toEqual(['r9', 1]);
});

it('does not let the last run replace one that began meanwhile', async () => {
  let answer: (value: unknown) => void = () => undefined;
  server.answer('GET /api/v1/runs?flow=f&limit=1', () => new Promise((resolve) => (answer = resolve)));
  const { current } = await open();
  await act(async () => current.follow('r9', 6));
  await act(async () => answer({ runs: [{ id: 'r1', status: 'running' }] }));
  expect(current.store.get()).toMatchObject({ stored: 'r9', knows: 6 });
  expect(sources).toHaveLength(1);
});

it('follows nothing when the page was left before the server answered', async () => {
  latest([]);
  const { current, leave } = await open();
  let answer: (value: unknown) => void = () => undefined;
  server.answer('POST /api/v1/flows/f/runs', () => new Promise((resolve) => (answer = resolve)));
  const starting = current.run({}, true);
  leave();
  answer({ id: 'r1' });
  await starting;
  expect(sources).toEqual([]);
});

it('follows its run again from the beginning when the page is shown after the user signed in again', async () => {
  latest([]);
  const { current, hide, show } = await openHidable();
  server.answer('POST /api/v1/flows/f/runs', { id: 'r2' });
  await act(() => current().run({ inputs: { i: { text: 'x' } } } as never, true));
  sources[0]?.send({ kind: 'node_started', node: 'a', path: '', inputs: {} }, '', 'node_started');
  await hide();
  expect(sources[0]?.readyState).toBe(2);
  await show();
  expect(sources.map(({ url }) => url)).toEqual(Array(2).fill('http://croft.test/base/api/v1/runs/r2/events'));
  expect(current().store.get()).toMatchObject({ nodes: {}, stored: 'r2', inputs: { i: { text: 'x' } } });
  end();
  await hide();
  await show();
  expect([current().store.get().status, sources.length]).toEqual(['completed', 2]);
});

it('follows a run that began while the page was hidden', async () => {
  latest([]);
  const { current, hide, show } = await openHidable();
  let answer: (value: unknown) => void = () => undefined;
  server.answer('POST /api/v1/flows/f/runs', () => new Promise((resolve) => (answer = resolve)));
  const starting = current().run({}, true);
  await hide();
  await act(async () => answer({ id: 'r1' }));
  await starting;
  expect(sources).toEqual([]);
  await show();
  expect(sources.map(({ url }) => url)).toEqual(['http://croft.test/base/api/v1/runs/r1/events']);
});

it('sends answers and stops to the run that it follows', async () => {
  latest([{ id: 'r1', status: 'waiting' }]);
  const { current } = await open();
  server.answer('POST /api/v1/runs/r1/cancel', {});
  await current.stop();
  expect(server.requests.at(-1)).toBe('POST /api/v1/runs/r1/cancel {}');
});
