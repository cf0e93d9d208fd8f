import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { assistantConfigQuery } from '../api/assistant.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ProviderNotice } from './provider-notice.tsx';

useFakeApi();
const page = usePage();

async function show(config: object | undefined) {
  const onSetUp = vi.fn();
  const client = testClient();
  if (config) client.setQueryData(assistantConfigQuery.queryKey, config as never);
  return { box: await page.show(inClient(client)(createElement(ProviderNotice, { onSetUp }))), onSetUp };
}

it('says that rules answer, and offers to set a provider up', async () => {
  const { box, onSetUp } = await show({ configured: false });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'span[aria-hidden=true]',
      'icon key-round 16',
      'p No model provider is set up.  answers by rules: it understands simple requests to build, change and run a flow.',
      'span croft/offline',
      'button[data-testid=assistant-no-models-configure-providers][type=button]',
      'span Set up a provider',
    ]);
  expect(box.textContent).toBe(
    'No model provider is set up. croft/offline answers by rules: it understands simple requests to build, change and run a ' +
      'flow.Set up a provider',
  );
  await fire(named(box, 'Set up a provider'), 'click');
  expect(onSetUp).toHaveBeenCalledOnce();
});

it('says nothing where a provider is set up, or before that is known', async () => {
  expect([(await show({ configured: true })).box.innerHTML, (await show(undefined)).box.innerHTML]).toEqual(['', '']);
});
