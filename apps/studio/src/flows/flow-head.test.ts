import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FlowHead } from './flow-head.tsx';

const page = usePage();

it('names the flow, and leads to its pages and to all flows', async () => {
  const box = await page.show(createElement(FlowHead, { id: 'f1', name: 'Daily', actions: '[Run]' }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'a[href=/base/flows] All flows',
      'icon chevron-left 15',
      'div [Run]',
      'h1[title=Daily][tabindex=-1] Daily',
      'nav[aria-label=Pages of this flow]',
      'a[href=/base/flows/f1] Canvas',
      'a[href=/base/flows/f1/play] Playground',
      'a[href=/base/flows/f1/runs] Runs',
      'a[href=/base/flows/f1/use] Use it',
      'a[href=/base/flows/f1/versions] Versions',
    ]);
  expect([box.querySelector('h1')?.textContent, named(box, 'All flows').getAttribute('href')]).toEqual([
    'Daily',
    '/base/flows',
  ]);
  expect([named(box, 'Runs').getAttribute('href'), box.textContent.includes('[Run]')]).toEqual([
    '/base/flows/f1/runs',
    true,
  ]);
  expect([box.querySelector('[aria-label="Rename the flow"]'), box.querySelector('h1')?.getAttribute('title')]).toEqual(
    [null, 'Daily'],
  );
});

it('renames the flow where it can be edited', async () => {
  const onRename = vi.fn<(changed: unknown) => Promise<void>>(() => Promise.resolve());
  const props = { id: 'f1', name: 'Daily', description: 'Each day.', onRename };
  const box = await page.show(inClient(testClient())(createElement(FlowHead, props)));
  expect(box.querySelector('dialog')).toBeNull();
  await fire(named(box, 'Rename the flow'), 'click');
  const dialog = box.querySelector('dialog') as Element;
  const [name, about] = [...dialog.querySelectorAll('input, textarea')] as [HTMLInputElement, HTMLTextAreaElement];
  expect([name.value, about.value || about.textContent]).toEqual(['Daily', 'Each day.']);
  await type(name, 'Weekly');
  await fire(dialog.querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(onRename.mock.calls[0]?.[0]).toEqual({ name: 'Weekly' }));
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
});
