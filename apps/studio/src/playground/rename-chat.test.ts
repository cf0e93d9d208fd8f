import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { type ChatSession, sessionsQuery } from '../api/chats.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { RenameChat } from './rename-chat.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'PATCH /api/v1/flows/f1/sessions/s1';

async function show() {
  const client = testClient();
  client.setQueryData(sessionsQuery('f1').queryKey, {} as never);
  const onClose = vi.fn();
  const session = { id: 's1', name: 'Old' } as ChatSession;
  const box = await page.show(inClient(client)(createElement(RenameChat, { flowId: 'f1', session, onClose })));
  const input = box.querySelector('input') as HTMLInputElement;
  return { box, client, input, onClose, submit: () => fire(box.querySelector('form') as Element, 'submit') };
}

it('renames a chat without spaces around the name', async () => {
  const { box, client, input, onClose, submit } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 Rename the chat',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'label[for=#2] Name',
      'input#2[maxLength=200][required][data-first=true][autoComplete=off][value=Old]',
      'p#2-error[role=alert]',
      'button[type=submit]',
      'span Rename',
      'button[type=button]',
      'span Cancel',
    ]);
  expect([box.querySelector('h2')?.textContent, input.value, input.getAttribute('maxLength')]).toEqual([
    'Rename the chat',
    'Old',
    '200',
  ]);
  expect([
    named(box, 'Rename').getAttribute('type'),
    input.hasAttribute('data-first'),
    input.hasAttribute('required'),
  ]).toEqual(['submit', true, true]);
  const select = vi.fn();
  Object.assign(input, { select });
  await fire(input, 'focusin');
  expect(select).toHaveBeenCalledOnce();
  await type(input, '  ');
  expect((await submit()).defaultPrevented).toBe(true);
  expect(server.requests).toEqual([]);
  await type(input, ' New ');
  server.answer(ROUTE, {});
  await submit();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect([server.requests, isInvalid(client, sessionsQuery('f1').queryKey)]).toEqual([
    [`${ROUTE} {"name":"New"}`],
    true,
  ]);
});

it('says why it was not renamed', async () => {
  const { box, onClose, submit } = await show();
  server.answer(ROUTE, refusal(404, 'not_found', 'It is gone.'));
  await submit();
  await vi.waitFor(() => expect(box.textContent).toContain('It is gone.'));
  expect(onClose).not.toHaveBeenCalled();
});
