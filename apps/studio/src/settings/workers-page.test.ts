import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { WorkersPage } from './workers-page.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'GET /api/v1/workers';
const RUNS = { direct: 1, queued: 2000, running: 3, waiting: 4, needsAttention: 5 };
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

async function show(answer: unknown, until: string) {
  server.answer(ROUTE, answer);
  server.answer('GET /api/v1/flow-commands', { fixed: [], commands: [] });
  const box = await page.show(inClient(testClient())(createElement(WorkersPage)));
  await vi.waitFor(() => expect(box.textContent).toContain(until));
  return box;
}

it('counts the runs that have not ended, and says which workers answer', async () => {
  const workers = [
    { name: 'w1', seenAt: ago(6_000), running: 1 },
    { name: 'w2', seenAt: ago(8_100), running: 1_000 },
  ];
  const box = await show({ runs: RUNS, workers }, 'Runs of all users');
  expect([...box.querySelectorAll('dt, dd')].map(({ textContent }) => textContent)).toEqual([
    'Running directly',
    '1',
    'Queued',
    '2,000',
    'Running in a worker',
    '3',
    'Waiting for a person',
    '4',
    'Need attention',
    '5',
  ]);
  expect([...box.querySelectorAll('section')].map((card) => card.getAttribute('aria-label'))).toEqual([
    'Runs',
    'Workers',
    'Commands of MCP servers',
  ]);
  expect([...box.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^w1Seen .+ · 1 runWorks$/),
    expect.stringMatching(/^w2Seen .+ · 1,000 runsDoes not answer$/),
  ]);
  expect(box.textContent).toContain('Runs of all usersThose that have not ended, now.');
  expect(box.textContent).toContain(
    'WorkersCarry out queued runs: those of schedules, webhooks and programs, and those that wait for a person.',
  );
  expect(named(box, 'Show your runs').getAttribute('href')).toBe('/base/runs');
  expect(box.querySelector('time')?.hasAttribute('title')).toBe(true);
});

it('says that no worker has started', async () => {
  const box = await show({ runs: RUNS, workers: [] }, 'No worker has started yet');
  await expect
    .poll(() => outline(box, '[aria-label^=Commands]'))
    .toEqual([
      'section[aria-label=Runs]',
      'h2 Runs of all users',
      'p Those that have not ended, now.',
      'dt Running directly',
      'dd 1',
      'dt Queued',
      'dd 2,000',
      'dt Running in a worker',
      'dd 3',
      'dt Waiting for a person',
      'dd 4',
      'dt Need attention',
      'dd 5',
      'a[href=/base/runs] Show your runs',
      'section[aria-label=Workers]',
      'h2 Workers',
      'p Carry out queued runs: those of schedules, webhooks and programs, and those that wait for a person.',
      'p No worker has started yet. The server starts one with the first queued run.',
      'section[aria-label=Commands of MCP servers]',
    ]);
  expect(box.textContent).toContain('No worker has started yet. The server starts one with the first queued run.');
});

it('says why they cannot be shown, and tries again', async () => {
  const box = await show(refusal(500, 'broken', 'It broke.'), 'It broke.');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Workers]',
      'h2 Workers',
      'div[role=alert]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 22',
      'p The workers cannot be shown',
      'p It broke.',
      'button[type=button]',
      'span Try again',
    ]);
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.textContent]).toEqual([
    'Workers',
    'WorkersThe workers cannot be shownIt broke.Try again',
  ]);
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(server.requests.filter((request) => request === ROUTE).length).toBe(2));
});
