import { createRegistry, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { ENDED_RUN } from '../runs/testing-runs.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { useFakeEvents } from '../testing/fake-events.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FormPage } from './form-page.tsx';
import { inputOf } from './testing-inputs.ts';

const server = useFakeApi();
const sources = useFakeEvents();
const page = usePage();
const START = 'POST /api/v1/flows/f1/run/stream';
beforeEach(() => {
  server.answer('GET /api/v1/flows/f1/check', { findings: [] });
  server.answer('GET /api/v1/runs', { runs: [], nextCursor: null });
  server.answer(START, () => new Response('', { headers: { 'Croft-Run-Id': 'r1' } }));
});

async function show(kind = 'TextInput') {
  await act(async () => navigate('/flows/f1/play'));
  const node = { id: 'A', type: kind, name: 'City', position: { x: 0, y: 0 }, values: {} };
  const open = {
    flow: { id: 'f1', name: 'Daily', description: 'Says the weather.', version: 3 },
    document: { ...emptyFlow('Daily'), nodes: [node] },
    registry: createRegistry([{ descriptor: inputOf('TextInput') }]),
  };
  return page.show(
    inClient(testClient())(createElement(FormPage, { open } as unknown as Parameters<typeof FormPage>[0])),
  );
}

it('asks for the inputs of the flow, and runs it with them', async () => {
  const box = await show();
  await expect
    .poll(() => outline(box, 'form'))
    .toEqual([
      'p Says the weather.',
      'p This flow has no chat: it begins with “City” and ends with “City”.',
      'section[aria-label=Run]',
      'h2 Run',
      'span[role=status]',
    ]);
  expect(box.textContent).toContain('RunText Run');
  await type(box.querySelector('input') as Element, 'Graz');
  await fire(box.querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(sources).not.toHaveLength(0));
  const [, body = '{}'] = server.requests.find((each) => each.startsWith(START))?.split(`${START} `) ?? [];
  expect(JSON.parse(body)).toMatchObject({ inputs: { A: { input_value: 'Graz' } }, from: 'playground' });
});

it('says what prevents a run, which leads to the flow', async () => {
  const box = await show('Gone');
  await expect
    .poll(() => [...box.querySelectorAll('li')].map(({ textContent }) => textContent))
    .toEqual(["City has the type 'Gone', which this Croft does not have. Replace or remove the component. Show City"]);
  const link = [...box.querySelectorAll('button')].find((each) => each.textContent.includes('City'));
  await fire(link as Element, 'click');
  expect(location.pathname).toBe('/base/flows/f1');
});

it('shows the last run, until it runs the flow, and links to the runs', async () => {
  server.answer('GET /api/v1/runs', { runs: [ENDED_RUN], nextCursor: null });
  const run = { ...ENDED_RUN, text: 'It is sunny.', outputs: {}, failure: null };
  server.answer('GET /api/v1/runs/r1', { run });
  const box = await show();
  const last = () => box.querySelector('section[aria-label="Last run"]')?.textContent;
  await vi.waitFor(() => expect(last()).toContain('Last runDoneJan 1, 2026On the canvasResultCopyIt is sunny.'));
  expect(named(box, 'Show the run').getAttribute('href')).toBe('/base/runs/r1');
  expect(named(box, 'All runs of this flow').getAttribute('href')).toBe('/base/flows/f1/runs');
  server.answer(START, () => new Response('', { headers: { 'Croft-Run-Id': 'r2' } }));
  await fire(box.querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(named(box, 'Show the run').getAttribute('href')).toBe('/base/runs/r2'));
  expect(last()).toBeUndefined();
});

it('says why the last run failed', async () => {
  const failed = {
    ...ENDED_RUN,
    status: 'failed',
    text: null,
    outputs: null,
    failure: { node: 'A', message: 'It broke.' },
  };
  server.answer('GET /api/v1/runs', { runs: [failed], nextCursor: null });
  server.answer('GET /api/v1/runs/r1', { run: failed });
  const box = await show();
  await vi.waitFor(() =>
    expect(box.querySelector('section[aria-label="Last run"] [role=alert]')?.textContent).toBe('CityIt broke.'),
  );
});
