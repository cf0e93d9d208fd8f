import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { assistantConfigQuery } from '../api/assistant.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { modelText } from './cost-text.ts';
import { ModelPicker } from './model-picker.tsx';

useFakeApi();
const page = usePage();
const CONFIG = {
  default_provider: 'A',
  default_model: 'm1',
  providers: [{ name: 'A', models: [{ name: 'm1' }, { name: 'm2' }] }],
};

async function show(model: string, config: object | undefined = CONFIG) {
  const [onModel, onSetUp] = [vi.fn(), vi.fn()];
  const client = testClient();
  if (config) client.setQueryData(assistantConfigQuery.queryKey, config as never);
  const box = await page.show(inClient(client)(createElement(ModelPicker, { model, onModel, onSetUp })));
  const select = box.querySelector('select') as HTMLSelectElement;
  const options = [...box.querySelectorAll('option')].map((each) => [
    each.getAttribute('value') ?? '',
    each.textContent,
  ]);
  return { select, options, onModel, onSetUp };
}

it('offers the models of providers that are set up, the preferred one first', async () => {
  const { select, options, onModel, onSetUp } = await show('');
  expect([select.getAttribute('aria-label'), options]).toEqual([
    'Model',
    [
      ['', modelText('A/m1')],
      ['A/m2', modelText('A/m2')],
      ['croft/offline', 'croft/offline'],
      ['+', 'Set up another provider…'],
    ],
  ]);
  await choose(select, 'A/m2');
  expect([onModel.mock.calls, onSetUp.mock.calls]).toEqual([[['A/m2']], []]);
  await choose(select, '+');
  expect([onModel.mock.calls.length, onSetUp.mock.calls.length]).toEqual([1, 1]);
});

it('keeps a chosen model whose provider was removed', async () => {
  expect((await show('Gone/x')).options.at(2)).toEqual(['Gone/x', 'Gone/x (not set up)']);
  expect((await show('A/m2')).options.length).toBe(4);
});

it('offers the rules once where they are chosen, and as set up', async () => {
  const { select, options } = await show('croft/offline');
  expect([select.value, options.filter(([, text]) => text?.includes('offline'))]).toEqual([
    'croft/offline',
    [['croft/offline', 'croft/offline']],
  ]);
});

it.each(['croft/offline', 'A/m1'])('offers %s once where it is chosen and preferred', async (model) => {
  const [default_provider, default_model] = model.split('/');
  const { select, options } = await show(model, { ...CONFIG, default_provider, default_model });
  const text = modelText(model);
  expect([select.value, options.filter((each) => each[1]?.includes(text))]).toEqual(['', [['', text]]]);
});

it('offers the rules once where they are preferred', async () => {
  const offline = { default_provider: 'croft', default_model: 'offline', providers: [] };
  expect((await show('', offline)).options.length).toBe(2);
});

it('is named and shows what is chosen', async () => {
  const { select } = await show('A/m2');
  await expect
    .poll(() => outline(select.closest('body > div') as Element))
    .toEqual([
      'select[aria-label=Model][value=A/m2]',
      'option A/m1',
      'option[selected] A/m2',
      'option croft/offline',
      'option Set up another provider…',
    ]);
});
