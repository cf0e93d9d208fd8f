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
    expect(outline(box, 'label, section')).toEqual([
      'h1[tabindex=-1] Runs',
      'p Runs of your flows, by hand and by schedules, webhooks and other programs.',
      'label State',
      'section[aria-label=Runs]',
    ]),
  );
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
    expect(outline(box, 'nav, label, section')).toEqual([
      'a[href=/base/flows] All flows',
      'icon chevron-left 15',
      'h1[title=Daily][tabindex=-1] Daily',
      'nav[aria-label=Pages of this flow]',
      'label State',
      'section[aria-label=Runs]',
    ]),
  );
  expect([named(box, 'Canvas').getAttribute('href'), box.querySelector('[aria-current]')?.textContent]).toEqual([
    '/base/flows/f1',
    'Runs',
  ]);
  expect(server.requests).toContain('GET /api/v1/runs?limit=50&flow=f1');
});
