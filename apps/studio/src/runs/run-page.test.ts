import { QueryClient } from '@tanstack/react-query';
import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { flowQuery } from '../api/flows.ts';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { RunPage } from './run-page.tsx';
import { ENDED_RUN } from './testing-runs.ts';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'GET /api/v1/runs/r1';
const RUN = {
  ...ENDED_RUN,
  metrics: { duration_seconds: 2, input_tokens: 0, output_tokens: 0 },
  inputs: {},
  text: 'The result',
  outputs: {},
  failure: null,
  timeline: [],
  timelineIsCut: false,
  undecided: [],
  questions: [],
};
const ENTRY = { node: 'A', path: '', status: 'finished', startedMs: 0, ms: 5 };

async function show(run: unknown, hasFlow = true, client = testClient()) {
  await act(async () => navigate('/runs/r1'));
  server.answer(ROUTE, typeof run === 'function' ? run : { run });
  server.answer('GET /api/v1/flow-components', { components: [] });
  server.answer('GET /api/v1/activity/changes', { changes: [], nextCursor: null });
  const document = { nodes: [{ id: 'A', type: 'T', name: 'Writer', values: {} }], edges: [], notes: [], groups: [] };
  if (hasFlow) server.answer('GET /api/v1/flows/f1', { flow: { id: 'f1', name: 'Daily', version: 1, document } });
  else server.answer('GET /api/v1/flows/f1', refusal(404, 'not_found'));
  const box = await page.show(inClient(client)(createElement(RunPage)));
  return box;
}

it('says what ran, when, how and with which result', async () => {
  const box = await show({ ...RUN, timeline: [ENTRY] });
  await vi.waitFor(() => expect(box.textContent).toContain('Runs of this flow'));
  await expect
    .poll(() => outline(box, 'button'))
    .toEqual([
      'a[href=/base/flows/f1/runs] Runs of this flow',
      'icon chevron-left 15',
      'h1[tabindex=-1] Daily',
      'a[href=/base/flows/f1] Open the flow',
      'icon workflow 16',
      'button[type=button]',
      'button[type=button]',
      'span[role=status]',
      'span Done',
      'span[aria-hidden=true]',
      'time 2026-01-01T00:00:00Z',
      'span On the canvas',
      'span Took 2.0 s',
      'section[aria-label=Result]',
      'h2 Result',
      'button[aria-live=polite][type=button]',
      'p[aria-label=Text][role=region][tabindex=0] The result',
      'section[aria-label=Components]',
      'h2 Components',
      'p In the order of their start. Select one for its inputs, outputs and log.',
      'div[aria-hidden=true]',
      'span 0',
      'span 5 ms',
      'ol[aria-label=Timeline]',
      'icon chevron-right 15',
      'icon check 15',
      'span Writer',
      'span , done',
      'span 5 ms',
    ]);
  expect([box.querySelector('h1')?.textContent, box.querySelector('[role=status]')?.textContent]).toEqual([
    'Daily',
    'Done',
  ]);
  expect(named(box, 'Runs of this flow').getAttribute('href')).toBe('/base/flows/f1/runs');
  expect(box.textContent).toMatch(/2026.*On the canvas.*2\.0 s/);
  expect(box.textContent).toContain('The result');
  const card = box.querySelector('section[aria-label=Components]');
  await vi.waitFor(() => expect(card?.textContent).toContain('Writer, done5 ms'));
  expect(card?.textContent).toContain(
    'ComponentsIn the order of their start. Select one for its inputs, outputs and log.',
  );
  expect(box.textContent).not.toContain('too large for the history');
});

it('leads to all runs where the flow is gone, and names components by their ids', async () => {
  const box = await show({ ...RUN, timeline: [ENTRY], timelineIsCut: true }, false);
  await vi.waitFor(() => expect(box.textContent).toContain('A, done'));
  expect(named(box, 'All runs').getAttribute('href')).toBe('/base/runs');
  expect(box.textContent).toContain(
    'The run is too large for the history: some components, inputs, outputs or lines of logs are left out.',
  );
});

it('asks for a deleted flow once, and offers no link to its canvas', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retryDelay: 1 } } });
  const box = await show(RUN, false, client);
  await vi.waitFor(() => expect(client.getQueryState(flowQuery('f1').queryKey)?.status).toBe('error'));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Open the flow'));
  expect(server.requests.filter((request) => request === 'GET /api/v1/flows/f1')).toHaveLength(1);
});

it.each([
  ['completed', 'None has started.'],
  ['running', 'None has started yet.'],
])('says of a %s run without components: %s', async (status, text) => {
  const box = await show({ ...RUN, status });
  await vi.waitFor(() =>
    expect(box.querySelector('section[aria-label=Components]')?.textContent).toBe(`Components${text}`),
  );
});

it('says why it failed', async () => {
  const box = await show({ ...RUN, status: 'failed', failure: { node: 'A', message: 'It broke.', fix: 'Fix it.' } });
  await vi.waitFor(() => expect(box.textContent).toContain('WriterIt broke.Fix it.'));
});

it('lets a person answer what a run waits for, and loads it again', async () => {
  const question = { key: 'q1', node: 'A', text: 'Really?', context: '', options: ['Yes', 'No'], answer: null };
  const box = await show({
    ...RUN,
    status: 'waiting',
    questions: [question, { ...question, key: 'q0', answer: 'Yes' }],
  });
  await vi.waitFor(() => expect(box.textContent).toContain('Really?'));
  server.answer('POST /api/v1/runs/r1/answer', {});
  const before = server.requests.filter((request) => request === ROUTE).length;
  await fire(named(box, 'Yes'), 'click');
  await vi.waitFor(() =>
    expect(server.requests.find((request) => request.startsWith('POST'))).toMatch(
      /^POST \/api\/v1\/runs\/r1\/answer \{"key":"q1","choice":"Yes"/,
    ),
  );
  await vi.waitFor(() => expect(server.requests.filter((request) => request === ROUTE).length).toBeGreaterThan(before));
});

it('lets a person decide about an effect that may have happened', async () => {
  const box = await show({ ...RUN, status: 'needs_attention', undecided: ['k1'] });
  await vi.waitFor(() =>
    expect(box.textContent).toContain('Croft cannot tell whether an effect of this run happened.'),
  );
  server.answer('POST /api/v1/runs/r1/decide', {});
  const before = server.requests.filter((request) => request === ROUTE).length;
  await fire(
    [...box.querySelectorAll('button')].find(({ textContent }) => /skip/i.test(textContent)) as Element,
    'click',
  );
  await vi.waitFor(() =>
    expect(server.requests).toContain('POST /api/v1/runs/r1/decide {"key":"k1","decision":"skip"}'),
  );
  await vi.waitFor(() => expect(server.requests.filter((request) => request === ROUTE).length).toBeGreaterThan(before));
});

it('asks nothing once the run has ended', async () => {
  const question = { key: 'q1', node: 'A', text: 'Really?', context: '', options: ['Yes'], answer: null };
  const box = await show({ ...RUN, questions: [question], undecided: ['k1'] });
  await vi.waitFor(() => expect(box.textContent).toContain('The result'));
  expect([box.textContent.includes('Really?'), box.textContent.includes('cannot tell')]).toEqual([false, false]);
});

it('says that it loads, and why it cannot be shown', async () => {
  expect((await show(() => new Promise(() => undefined))).textContent).toBe('Loading');
  const box = await show(refusal(404, 'not_found', 'No such run.'));
  await vi.waitFor(() => expect(box.textContent).toBe('This run cannot be shownNo such run.Try againGo to all runs'));
  expect(named(box, 'Go to all runs').getAttribute('href')).toBe('/base/runs');
  server.answer(ROUTE, { run: RUN });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('The result'));
});
