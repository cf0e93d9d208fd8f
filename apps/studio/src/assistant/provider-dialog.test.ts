import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ProviderDialog } from './provider-dialog.tsx';

const server = useFakeApi();
const page = usePage();

it('offers providers, and asks for the key of one that is not set up', async () => {
  server.answer('GET /api/v1/models', {
    preferred: { provider: 'A', model: 'm' },
    providers: [
      { name: 'A', enabled: true, models: [], missing: [], optional: [], exampleUrl: null },
      { name: 'B', enabled: false, models: [], missing: ['B_API_KEY'], optional: [], exampleUrl: null },
      { name: 'C', enabled: false, models: [], missing: [], optional: [], exampleUrl: null },
    ],
  });
  const onClose = vi.fn();
  const box = await page.show(inClient(testClient())(createElement(ProviderDialog, { isOpen: true, onClose })));
  await vi.waitFor(() => expect(box.querySelectorAll('option').length).toBe(3));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 Set up a model provider',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about The assistant and the flows that you run use it.',
      'label[for=#2] Provider',
      'select#2[data-first=true]',
      'option[selected] Choose a provider',
      'option A (set up)',
      'option B',
      'p#2-error[role=alert]',
    ]);
  expect([
    box.querySelector('h2')?.textContent,
    box.textContent.includes('The assistant and the flows that you run use it.'),
  ]).toEqual(['Set up a model provider', true]);
  const select = box.querySelector('select') as HTMLSelectElement;
  expect([...select.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Choose a provider',
    'A (set up)',
    'B',
  ]);
  await choose(select, 'A');
  expect([box.textContent.includes('A is ready.'), box.querySelector('section')]).toEqual([true, null]);
  await choose(select, 'B');
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.textContent.includes('ready')]).toEqual([
    'Set up B',
    false,
  ]);
  await fire(named(box, 'Close'), 'click');
  expect(onClose).toHaveBeenCalledOnce();
});

it('is absent while it is closed', async () => {
  const box = await page.show(
    inClient(testClient())(createElement(ProviderDialog, { isOpen: false, onClose: () => undefined })),
  );
  expect(box.innerHTML).toBe('');
});
