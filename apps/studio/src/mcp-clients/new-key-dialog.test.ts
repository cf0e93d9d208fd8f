import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { keysQuery } from '../api/keys.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'POST /api/v1/keys';

async function open() {
  const onClose = vi.fn();
  const client = testClient();
  client.setQueryData(keysQuery.queryKey, [] as never);
  const box = await page.show(inClient(client)(createElement(NewKeyDialog, { onClose })));
  const submit = async (name: string) => {
    await type(box.querySelector('input') as Element, name);
    return (await fire(box.querySelector('form') as Element, 'submit')).defaultPrevented;
  };
  return { box, client, onClose, submit };
}

it('creates a key under a name, and shows its secret until the person is done', async () => {
  const { box, client, onClose, submit } = await open();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 New key',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'label[for=#2] What is it for?',
      'input#2[aria-describedby=#2-hint][placeholder=Claude on my laptop][required][data-first=true][autoComplete=off]',
      'p#2-hint Helps you recognize the key when you revoke it.',
      'p#2-error[role=alert]',
      'button[type=submit]',
      'span Create key',
      'button[type=button]',
      'span Cancel',
    ]);
  server.answer(ROUTE, { secret: 'croft_s3cret' });
  expect(await submit('  ')).toBe(true);
  expect(server.requests).toEqual([]);
  await submit(' laptop ');
  await vi.waitFor(() => expect(box.querySelector('[role=region]')?.textContent).toBe('croft_s3cret'));
  expect([server.requests[0], onClose.mock.calls.length]).toEqual([`${ROUTE} {"name":"laptop"}`, 0]);
  expect([isInvalid(client, keysQuery.queryKey), box.querySelector('h2')?.textContent]).toEqual([
    true,
    'Copy the key now',
  ]);
  expect(box.querySelector('details')?.textContent).toMatch(/^Use it in an MCP clientTools of the agent/);
  await fire(named(box, 'Done'), 'click');
  expect(onClose).toHaveBeenCalledOnce();
});

it('says why no key was created', async () => {
  const { box, submit } = await open();
  server.answer(ROUTE, refusal(403, 'too_many', 'You have 50 keys.'));
  await submit('laptop');
  await vi.waitFor(() => expect(box.querySelector('[role=alert]')?.textContent).toBe('You have 50 keys.'));
});

it('closes without a key, and asks for one key only', async () => {
  const { box, onClose, submit } = await open();
  await fire(named(box, 'Close'), 'click');
  await fire(named(box, 'Cancel'), 'click');
  expect(onClose).toHaveBeenCalledTimes(2);
  server.answer(ROUTE, () => new Promise(() => undefined));
  await submit('laptop');
  await vi.waitFor(() => expect(box.textContent).toContain('Working'));
  await submit('laptop');
  expect(server.requests).toHaveLength(1);
});
