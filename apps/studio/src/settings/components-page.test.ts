import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { componentsQuery } from '../api/flows.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts } from '../ui/toast.tsx';
import { ComponentsPage } from './components-page.tsx';

const server = useFakeApi();
const page = usePage();
const TITLE = [
  'section[aria-label=Components]',
  'h2 Components',
  'p Components that you or the assistant wrote in TypeScript. All of your flows can use them.',
];
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/components';

const component = (name: string, more: object = {}) => ({
  name,
  label: `${name}!`,
  origin: 'saved',
  problem: null,
  ...more,
});

async function show(components: readonly object[], skipped: readonly object[] = []) {
  server.answer(ROUTE, { components, skipped });
  const client = testClient();
  client.setQueryData(componentsQuery.queryKey, {} as never);
  const box = await page.show(inClient(client)(createElement(ComponentsPage)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return { box, client };
}

it('lists components with their files, and what is wrong with them', async () => {
  const { box } = await show(
    [
      component('A'),
      component('B', { origin: 'generated', problem: { line: 1, message: 'no class', fix: 'Add one.' } }),
      component('C', { problem: { line: 0, message: 'too long', fix: 'Split it.' } }),
    ],
    [{ file: 'x.md', reason: 'not TypeScript' }],
  );
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'button[type=button]',
      'span New component',
      'icon plus 17',
      'p A!',
      'p .components/A.ts',
      'button[aria-label=Edit A][type=button]',
      'span Edit',
      'button[aria-label=Delete A][type=button]',
      'span Delete',
      'p B!',
      'span By the assistant, not saved',
      'span Cannot be used',
      'p .components/B.ts',
      'p Line 1: no class. Add one.',
      'button[aria-label=Edit B][type=button]',
      'span Edit',
      'button[aria-label=Delete B][type=button]',
      'span Delete',
      'p C!',
      'span Cannot be used',
      'p .components/C.ts',
      'p too long. Split it.',
      'button[aria-label=Edit C][type=button]',
      'span Edit',
      'button[aria-label=Delete C][type=button]',
      'span Delete',
      'p These files of the folder .components are not components:',
      'li : not TypeScript',
      'code x.md',
    ]);
  expect(box.textContent).toBe(
    'ComponentsComponents that you or the assistant wrote in TypeScript. All of your flows can use them. New component' +
      'A!.components/A.tsEditDelete' +
      'B!By the assistant, not savedCannot be used.components/B.tsLine 1: no class. Add one.EditDelete' +
      'C!Cannot be used.components/C.tstoo long. Split it.EditDelete' +
      'These files of the folder .components are not components:x.md: not TypeScript',
  );
});

it('deletes exactly the component that was confirmed, also from the palette', async () => {
  const { box, client } = await show([component('A'), component('B')]);
  await fire(named(box, 'Delete B'), 'click');
  const dialog = box.querySelector('dialog') as HTMLDialogElement;
  expect(dialog.textContent).toMatch(
    /^Delete B\?.*Flows that use it keep its code\. You cannot add it to other flows any more\./,
  );
  server.answer('DELETE /api/v1/components/B', {});
  await fire(named(dialog, 'Delete component'), 'click');
  await vi.waitFor(() => expect(isInvalid(client, componentsQuery.queryKey)).toBe(true));
  expect(server.requests).toEqual([ROUTE, 'DELETE /api/v1/components/B', ROUTE]);
});

it('opens a new component, or the one that is edited, and closes it', async () => {
  const { box } = await show([]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span[aria-hidden=true]',
      'icon blocks 22',
      'p No components yet',
      'p The component TypeScript code on the canvas is part of one flow. A component here is for all of them.',
      'button[type=button]',
      'span New component',
      'icon plus 17',
    ]);
  expect(box.textContent).toContain(
    'No components yetThe component TypeScript code on the canvas is part of one flow. A component here is for all of them.',
  );
  await fire(named(box, 'New component'), 'click');
  expect(box.querySelector('dialog h2')?.textContent).toBe('New component');
  const second = (await show([component('A')])).box;
  await fire(named(second, 'Edit A'), 'click');
  expect(second.querySelector('dialog h2')?.textContent).toBe('A');
  await fire(named(second.querySelector('dialog') as Element, 'Cancel'), 'click');
  expect(second.querySelector('dialog')).toBeNull();
});

it('says why they cannot be shown, and tries again', async () => {
  server.answer(ROUTE, refusal(500, 'broken', 'It broke.'));
  const box = await page.show(inClient(testClient())(createElement(ComponentsPage)));
  await vi.waitFor(() => expect(box.textContent).toContain('The components cannot be shownIt broke.'));
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(server.requests).toEqual([ROUTE, ROUTE]));
});
