import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FlowRunsPage, RunsPage } from './runs-page.tsx';

const server = useFakeApi();
const page = usePage();

it('leads to the flows until the first run', async () => {
  server.answer('GET /api/v1/runs', { runs: [], nextCursor: null });
  const box = await page.show(inClient(testClient())(createElement(RunsPage)));
  await vi.waitFor(() =>
    expect(outline(box)).toEqual([
      'h1[tabindex=-1] Runs',
      'p Runs of your flows, by hand and by schedules, webhooks and other programs.',
      'label State',
      'option[selected] All',
      'option Waits for you',
      'option Needs attention',
      'option Queued',
      'option Running',
      'option Done',
      'option Failed',
      'option Timed out',
      'option Stopped',
      'option Interrupted',
      'section[aria-label=Runs]',
      'span[aria-hidden=true]',
      'icon rotate-ccw-clock 22',
      'p No runs yet',
      'p Each run of a flow is listed here, with the inputs, outputs and time of its components.',
      'a[href=/base/flows] Go to your flows',
    ]),
  );
  expect([box.querySelector('h1')?.textContent, box.querySelector('p')?.textContent]).toEqual([
    'Runs',
    'Runs of your flows, by hand and by schedules, webhooks and other programs.',
  ]);
  await vi.waitFor(() => expect(named(box, 'Go to your flows').getAttribute('href')).toBe('/base/flows'));
});

it('has the runs of one flow, and leads to its playground', async () => {
  await act(async () => navigate('/flows/f1/runs'));
  server.answer('GET /api/v1/runs', { runs: [], nextCursor: null });
  server.answer('GET /api/v1/flow-components', { components: [] });
  const document = { nodes: [], edges: [], notes: [], groups: [] };
  server.answer('GET /api/v1/flows/f1', { flow: { id: 'f1', name: 'Daily', version: 1, document } });
  const box = await page.show(inClient(testClient())(createElement(FlowRunsPage)));
  await vi.waitFor(() => expect(named(box, 'Go to the playground').getAttribute('href')).toBe('/base/flows/f1/play'));
  await vi.waitFor(() =>
    expect(outline(box)).toEqual([
      'a[href=/base/flows] All flows',
      'icon chevron-left 15',
      'h1[title=Daily][tabindex=-1] Daily',
      'nav[aria-label=Pages of this flow]',
      'a[href=/base/flows/f1] Canvas',
      'a[href=/base/flows/f1/play] Playground',
      'a[href=/base/flows/f1/runs][aria-current=page] Runs',
      'a[href=/base/flows/f1/use] Use it',
      'a[href=/base/flows/f1/versions] Versions',
      'label State',
      'option[selected] All',
      'option Waits for you',
      'option Needs attention',
      'option Queued',
      'option Running',
      'option Done',
      'option Failed',
      'option Timed out',
      'option Stopped',
      'option Interrupted',
      'section[aria-label=Runs]',
      'span[aria-hidden=true]',
      'icon rotate-ccw-clock 22',
      'p No runs yet',
      'p Each run of a flow is listed here, with the inputs, outputs and time of its components.',
      'a[href=/base/flows/f1/play] Go to the playground',
    ]),
  );
  expect([box.querySelector('h1')?.textContent, box.querySelector('[aria-current]')?.textContent]).toEqual([
    'Daily',
    'Runs',
  ]);
  expect(server.requests).toContain('GET /api/v1/runs?limit=50&flow=f1');
});
