import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { RunHistory } from './run-history.tsx';
import { ENDED_RUN } from './testing-runs.ts';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'GET /api/v1/runs';

async function show(answer: unknown, { at = '/runs', flow = undefined as string | undefined } = {}) {
  server.answer(ROUTE, answer);
  await act(async () => navigate(at));
  const box = await page.show(
    inClient(testClient())(createElement(RunHistory, { start: '[Start]', ...(flow && { flow }) })),
  );
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return {
    box,
    select: box.querySelector('select') as HTMLSelectElement,
    card: box.querySelector('section') as Element,
  };
}

it('lists runs of all flows or of one', async () => {
  const { card } = await show({ runs: [ENDED_RUN], nextCursor: null });
  expect([card.getAttribute('aria-label'), card.textContent.startsWith('FlowInput')]).toEqual(['Runs', true]);
  const ofFlow = await show({ runs: [ENDED_RUN], nextCursor: null }, { flow: 'f1' });
  expect(ofFlow.card.textContent.startsWith('StartedInput')).toBe(true);
  expect(server.requests).toEqual([`${ROUTE}?limit=50`, `${ROUTE}?limit=50&flow=f1`]);
});

it('has the state of the address, and keeps another one there', async () => {
  const { box, select } = await show({ runs: [], nextCursor: null }, { at: '/runs?state=failed' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label State',
      'select[value=failed]',
      'option All',
      'option Waits for you',
      'option Needs attention',
      'option Queued',
      'option Running',
      'option Done',
      'option[selected] Failed',
      'option Timed out',
      'option Stopped',
      'option Interrupted',
      'section[aria-label=Runs]',
      'span[aria-hidden=true]',
      'icon search-x 22',
      'p No run has the state “Failed”',
    ]);
  expect(server.requests).toEqual([`${ROUTE}?limit=50&status=failed`]);
  expect(box.textContent).toContain('No run has the state “Failed”');
  expect(box.querySelector('label')?.textContent.startsWith('StateAllWaits for youNeeds attentionQueued')).toBe(true);
  await choose(select, 'queued');
  expect(location.search).toBe('?state=queued');
  await vi.waitFor(() => expect(server.requests.at(-1)).toBe(`${ROUTE}?limit=50&status=queued`));
  await choose(select, '');
  expect([location.pathname, location.search]).toEqual(['/base/runs', '']);
});

it('says what to do until the first run', async () => {
  const { card } = await show({ runs: [], nextCursor: null });
  expect(card.textContent).toBe(
    'No runs yetEach run of a flow is listed here, with the inputs, outputs and time of its components.[Start]',
  );
});

it('offers more runs where there are some', async () => {
  const { box } = await show({ runs: [ENDED_RUN], nextCursor: 'n' });
  server.answer(`${ROUTE}?limit=50&cursor=n`, { runs: [{ ...ENDED_RUN, id: 'r2' }], nextCursor: null });
  await fire(named(box, 'Show more'), 'click');
  await vi.waitFor(() => expect(box.querySelectorAll('li').length).toBe(2));
});

it('says that they load, and why they cannot be shown', async () => {
  server.answer(ROUTE, () => new Promise(() => undefined));
  const loading = await page.show(inClient(testClient())(createElement(RunHistory, { start: '' })));
  expect(loading.textContent).toContain('Loading the runs');
  const { box } = await show(refusal(500, 'broken', 'It broke.'));
  await expect
    .poll(() => outline(box))
    .toEqual([
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
      'div[role=alert]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 22',
      'p The runs cannot be shown',
      'p It broke.',
      'button[type=button]',
      'span Try again',
    ]);
  expect(box.textContent).toContain('The runs cannot be shownIt broke.');
  server.answer(ROUTE, { runs: [ENDED_RUN], nextCursor: null });
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Hello'));
});
