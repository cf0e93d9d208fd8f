import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { MODELS_KEY } from '../api/models.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts } from '../ui/toast.tsx';
import { VariablesPage } from './variables-page.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/variables';
const variable = (name: string, more: object = {}) => ({
  name,
  kind: 'credential',
  hosts: [],
  updatedAt: '2026-01-01T00:00:00Z',
  failure: null,
  ...more,
});
const TITLE = [
  'section[aria-label=Variables]',
  'h2 Variables',
  'p Keys and other values that your flows use by name. They are stored encrypted, for you alone, and never shown again.',
];
const ADD = ['button[type=button]', 'span New variable', 'icon plus 17'];
const buttonsOf = (name: string) => [
  `button[aria-label=Replace ${name}][type=button]`,
  'span Replace',
  `button[aria-label=Delete ${name}][type=button]`,
  'span Delete',
];

async function show(variables: readonly object[]) {
  server.answer(ROUTE, { variables });
  const client = testClient();
  client.setQueryData([...MODELS_KEY, 'x'], {});
  const box = await page.show(inClient(client)(createElement(VariablesPage)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return { box, client };
}

it('lists variables with their hosts and failures, never with a value', async () => {
  const { box } = await show([
    variable('KEY', { hosts: ['a.x', 'b.x'] }),
    variable('NOTE', { kind: 'text', failure: 'It cannot be read.' }),
  ]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      ...ADD,
      'code KEY',
      'p Set Jan 1, 2026 · sent to a.x, b.x',
      ...buttonsOf('KEY'),
      'code NOTE',
      'span Text',
      'p Set Jan 1, 2026',
      'p It cannot be read.',
      ...buttonsOf('NOTE'),
    ]);
  expect(box.textContent).toMatch(
    /^VariablesKeys and other values that your flows use by name\. They are stored encrypted, for you alone, and never shown again\. New variableKEYSet .+ · sent to a\.x, b\.xReplaceDeleteNOTETextSet [^·]+It cannot be read\.ReplaceDelete$/,
  );
});

it('deletes exactly the variable that was confirmed, and reads the models again', async () => {
  const { box, client } = await show([variable('A'), variable('B')]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      ...ADD,
      'code A',
      'p Set Jan 1, 2026',
      ...buttonsOf('A'),
      'code B',
      'p Set Jan 1, 2026',
      ...buttonsOf('B'),
    ]);
  await fire(named(box, 'Delete B'), 'click');
  const dialog = box.querySelector('dialog') as HTMLDialogElement;
  expect(dialog.textContent).toMatch(
    /^Delete B\?.*Flows that use it fail from now on\. You cannot restore its value\./,
  );
  server.answer('DELETE /api/v1/variables/B', {});
  await fire(named(dialog, 'Delete variable'), 'click');
  await vi.waitFor(() => expect(isInvalid(client, [...MODELS_KEY, 'x'])).toBe(true));
  expect(server.requests[1]).toBe('DELETE /api/v1/variables/B');
});

it('opens a new variable, or the one that is replaced, and closes it', async () => {
  const { box } = await show([variable('A')]);
  const dialog = () => box.querySelector('dialog');
  await fire(named(box, 'New variable'), 'click');
  expect(dialog()?.textContent).toContain('New variable');
  await fire(named(dialog() as Element, 'Cancel'), 'click');
  expect(dialog()).toBeNull();
  await fire(named(box, 'Replace A'), 'click');
  expect(dialog()?.textContent).toContain('Replace A');
});

it('says that there are none, or why they cannot be shown', async () => {
  expect((await show([])).box.textContent).toContain('No variables yet New variable');
  server.answer(ROUTE, refusal(500, 'broken', 'It broke.'));
  const box = await page.show(inClient(testClient())(createElement(VariablesPage)));
  await vi.waitFor(() => expect(box.textContent).toContain('The variables cannot be shownIt broke.'));
  await expect.poll(() => outline(box, '[role=alert]')).toEqual([...TITLE, 'div[role=alert]']);
  server.requests.length = 0;
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(server.requests).toEqual([ROUTE]));
});
