import type { Json } from '@croft/flow';
import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { ModelControl, ProviderSetUp } from './model-control.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/models';
const control = { id: 'c', 'aria-describedby': undefined, 'aria-invalid': undefined };
const MODELS = {
  preferred: { provider: 'A', name: 'm1' },
  providers: [
    {
      name: 'A',
      enabled: true,
      models: ['m1', 'm2'],
      embeddingModels: [],
      missing: [],
      optional: [],
      exampleUrl: null,
    },
    {
      name: 'B',
      enabled: false,
      models: [],
      embeddingModels: [],
      missing: ['B_API_KEY'],
      optional: [],
      exampleUrl: null,
    },
  ],
};

async function show(value: Json, more: object = {}, answer: unknown = MODELS) {
  server.answer(ROUTE, answer);
  const onValue = vi.fn();
  const props = { control, value, onValue, disabled: false, label: 'Model', ...more };
  const box = await page.show(inClient(testClient())(createElement(ModelControl, props)));
  await vi.waitFor(() => expect(box.textContent).toMatch(/not set up|cannot be listed|needs no key/));
  const options = [...box.querySelectorAll('select option')].map(({ textContent }) => textContent);
  return {
    box,
    select: box.querySelector('select') as HTMLSelectElement,
    name: box.querySelector('input'),
    options,
    onValue,
  };
}

it('offers the preferred model and each provider', async () => {
  const { select, name, options, onValue } = await show(null);
  expect([options, name]).toEqual([['Preferred: A/m1', 'A', 'B (not set up)'], null]);
  await choose(select, 'A');
  await choose(select, '');
  expect(onValue.mock.calls).toEqual([['A'], [null]]);
});

it('has the name of the model, with those that are known', async () => {
  const { box, name, onValue } = await show('A/m2');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'select[value=A]',
      'option Preferred: A/m1',
      'option[selected] A',
      'option B (not set up)',
      'input[placeholder=m1 (default)][spellCheck=false][autoComplete=off][list=#1][aria-label=Model: name of the model][value=m2]',
      'datalist#1',
      'p A is ready',
      'icon circle-check 15',
    ]);
  expect([name?.value, name?.getAttribute('aria-label'), name?.getAttribute('placeholder')]).toEqual([
    'm2',
    'Model: name of the model',
    'm1 (default)',
  ]);
  expect([...box.querySelectorAll('datalist option')].map((each) => each.getAttribute('value'))).toEqual(['m1', 'm2']);
  expect(name?.getAttribute('list')).toBe(box.querySelector('datalist')?.id);
  expect(box.textContent).toContain('A is ready');
  await type(name as Element, 'm3');
  expect(onValue.mock.calls).toEqual([['A/m3']]);
});

it('keeps a provider that this server does not have', async () => {
  const { options, name } = await show('Gone/x');
  expect([options[1], name?.value, name?.getAttribute('placeholder')]).toEqual([
    'Gone',
    'x',
    'Model, empty for the default',
  ]);
});

it('sets up a provider that is not ready, unless it is disabled', async () => {
  expect((await show('B')).box.querySelector('section')?.getAttribute('aria-label')).toBe('Set up B');
  const { box, select } = await show('B', { disabled: true });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'select[disabled][value=B]',
      'option Preferred: A/m1',
      'option A',
      'option[selected] B (not set up)',
      'input[placeholder=Model, empty for the default][spellCheck=false][autoComplete=off][disabled][list=#1][aria-label=Model: name of the model]',
      'datalist#1',
    ]);
  expect([box.querySelector('section'), select.hasAttribute('disabled')]).toEqual([null, true]);
});

it('says why providers cannot be listed, and tries again', async () => {
  const { box, options } = await show(null, {}, refusal(500, 'broken', 'It broke.'));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'option[selected] Your preferred model',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 16',
      'div The providers cannot be listed. It broke.',
      'button[type=button] Try again',
    ]);
  expect([options, box.textContent.includes('The providers cannot be listed. It broke.')]).toEqual([
    ['Your preferred model'],
    true,
  ]);
  server.answer(ROUTE, MODELS);
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Preferred: A/m1'));
});

async function setUp(missing: string[], optional: string[] = []) {
  const given = { name: 'B', missing, optional, exampleUrl: 'http://h:1/v1' };
  const provider = given as unknown as Parameters<typeof ProviderSetUp>[0]['provider'];
  const box = await page.show(inClient(testClient())(createElement(ProviderSetUp, { provider })));
  const save = named(box, 'Save');
  return { box, save, inputs: [...box.querySelectorAll('input')] as HTMLInputElement[] };
}

it('stores the values that a provider needs and can have, keys as credentials', async () => {
  const { box, save, inputs } = await setUp(['B_URL'], ['B_API_KEY']);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Set up B]',
      'p B is not set up',
      'icon key-round 15',
      'label[for=#1] B_URL',
      'input#1[type=text][spellCheck=false][autoComplete=off][placeholder=http://h:1/v1]',
      'p#1-error[role=alert]',
      'label[for=#2] B_API_KEY (if your server needs one)',
      'input#2[type=password][spellCheck=false][autoComplete=off][aria-describedby=#2-hint]',
      'p#2-hint Croft stores it encrypted, for you alone, and never shows it again. An address of this machine or your network has to be in CROFT_FLOW_HOSTS, which the operator of the server sets.',
      'p#2-error[role=alert]',
      'button[disabled][type=button]',
      'span Save',
    ]);
  expect(save.hasAttribute('disabled')).toBe(true);
  await type(inputs[1] as Element, ' k ');
  await fire(inputs[1] as Element, 'keydown', { key: 'Enter' });
  expect([save.hasAttribute('disabled'), server.requests]).toEqual([true, []]);
  await type(inputs[0] as Element, 'u');
  expect(save.hasAttribute('disabled')).toBe(false);
  server.answer('PUT /api/v1/variables/B_API_KEY', {});
  server.answer('PUT /api/v1/variables/B_URL', {});
  await fire(inputs[1] as Element, 'keydown', { key: 'Enter' });
  await vi.waitFor(() =>
    expect(server.requests).toEqual([
      'PUT /api/v1/variables/B_URL {"value":"u","kind":"text"}',
      'PUT /api/v1/variables/B_API_KEY {"value":"k","kind":"credential"}',
    ]),
  );
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('B is set up.'));
});

it('stores no value that a provider can do without and that was left empty', async () => {
  const { save, inputs } = await setUp(['B_URL'], ['B_API_KEY']);
  await type(inputs[0] as Element, 'u');
  server.answer('PUT /api/v1/variables/B_URL', {});
  await fire(save, 'click');
  await vi.waitFor(() => expect(server.requests).toEqual(['PUT /api/v1/variables/B_URL {"value":"u","kind":"text"}']));
});

it('says why a value was not stored', async () => {
  const { box, save, inputs } = await setUp(['B_API_KEY']);
  await type(inputs[0] as Element, 'k');
  server.answer('PUT /api/v1/variables/B_API_KEY', refusal(422, 'invalid', 'It is too long.'));
  await fire(save, 'click');
  await vi.waitFor(() => expect(box.querySelector('[role=alert]')?.textContent).toBe('It is too long.'));
  expect(save.getAttribute('aria-busy')).toBeNull();
});
