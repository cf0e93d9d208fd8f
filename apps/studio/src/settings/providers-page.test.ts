import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ProvidersPage } from './providers-page.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'GET /api/v1/models';
const TEST = 'POST /api/v1/models/OpenAI/test';

async function show() {
  server.answer(ROUTE, {
    preferred: { provider: 'OpenAI', model: 'm1' },
    providers: [
      { name: 'OpenAI', enabled: true, models: ['m1', 'm2'], missing: [], optional: [], exampleUrl: null },
      { name: 'Other', enabled: false, models: [], missing: ['OTHER_API_KEY'], optional: [], exampleUrl: null },
    ],
  });
  const box = await page.show(inClient(testClient())(createElement(ProvidersPage)));
  await vi.waitFor(() => expect(box.querySelectorAll('ul.border-t > li').length).toBe(2));
  const status = () => box.querySelector('[role=status]')?.textContent.trim();
  return { box, status };
}

it('says which providers are ready, and how to set up the others', async () => {
  const { box } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Model providers]',
      'h2 Model providers',
      'p Components without a model use the first provider that is ready. Their keys are stored as .',
      'a[href=/base/settings/variables] variables',
      'p OpenAI',
      'span Ready',
      'span[aria-hidden=true]',
      'span Preferred',
      'p m1, m2',
      'button[aria-label=Test OpenAI][type=button]',
      'span Test',
      'p[role=status]',
      'p Other',
      'span Not set up',
      'span[aria-hidden=true]',
      'p[role=status]',
      'summary Set up Other',
      'section[aria-label=Set up Other]',
      'p Other is not set up',
      'icon key-round 15',
      'label[for=#1] OTHER_API_KEY',
      'input#1[type=password][spellCheck=false][autoComplete=off][aria-describedby=#1-hint]',
      'p#1-hint Croft stores it encrypted, for you alone, and never shows it again.',
      'p#1-error[role=alert]',
      'button[disabled][type=button]',
      'span Save',
    ]);
  expect(box.textContent).toMatch(
    /^Model providersComponents without a model use the first provider that is ready\. Their keys are stored as variables\.OpenAIReadyPreferredm1, m2TestOtherNot set upSet up Other/,
  );
  expect(named(box, 'variables').getAttribute('href')).toBe('/base/settings/variables');
  expect(box.querySelectorAll('details, [aria-label="Test Other"]').length).toBe(1);
});

it('tests a key, and says which model answered and how fast', async () => {
  const { box, status } = await show();
  expect(status()).toBe('');
  server.answer(TEST, { model: 'm1', ms: 20, failure: null });
  await fire(named(box, 'Test OpenAI'), 'click');
  await vi.waitFor(() => expect(status()).toBe('m1 answered in 20 ms'));
});

it('tests a provider once it is set up', async () => {
  const { box } = await show();
  await type(box.querySelector('input') as Element, 'k');
  server.answer('PUT /api/v1/variables/OTHER_API_KEY', {});
  server.answer('POST /api/v1/models/Other/test', { model: 'm3', ms: 30, failure: null });
  await fire(named(box, 'Save'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('m3 answered in 30 ms'));
  expect(server.requests).toEqual([
    ROUTE,
    'PUT /api/v1/variables/OTHER_API_KEY {"value":"k","kind":"credential"}',
    ROUTE,
    'POST /api/v1/models/Other/test {}',
  ]);
});

it('says what failed and what to do', async () => {
  const { box, status } = await show();
  server.answer(TEST, { model: 'm1', ms: 20, failure: { message: 'The key is wrong.', fix: 'Set another one.' } });
  await fire(named(box, 'Test OpenAI'), 'click');
  await vi.waitFor(() => expect(status()).toBe('The key is wrong. Set another one.'));
  const badges = () => [...box.querySelectorAll('li:first-child p > span')].map(({ textContent }) => textContent);
  expect(badges().slice(0, 2)).toEqual(['Test failed', 'Preferred']);
  expect(box.textContent).toContain('Components without a model fail while OpenAI is preferred.');
  server.answer(TEST, { model: 'm1', ms: 20, failure: null });
  await fire(named(box, 'Test OpenAI'), 'click');
  await vi.waitFor(() => expect(badges().slice(0, 2)).toEqual(['Ready', 'Preferred']));
  expect(box.textContent).not.toContain('fail while');
  server.answer(TEST, refusal(503, 'away', 'It is not reachable.'));
  await fire(named(box, 'Test OpenAI'), 'click');
  await vi.waitFor(() => expect(status()).toBe('It is not reachable.'));
});

it('says why they cannot be shown, and tries again', async () => {
  server.answer(ROUTE, refusal(500, 'broken', 'It broke.'));
  const box = await page.show(inClient(testClient())(createElement(ProvidersPage)));
  expect(box.querySelector('section')?.getAttribute('aria-label')).toBe('Model providers');
  await vi.waitFor(() => expect(box.textContent).toContain('The providers cannot be shownIt broke.'));
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(server.requests).toEqual([ROUTE, ROUTE]));
});
