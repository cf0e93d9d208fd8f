import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { SessionList } from './session-list.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/flows/f1/sessions?limit=50';
const DELETE = 'DELETE /api/v1/flows/f1/sessions/b';
const session = (id: string, messages: number) => ({
  id,
  name: `Chat ${id}`,
  messages,
  updatedAt: '2026-01-01T00:00:00Z',
});
const TWO = { sessions: [session('a', 1), session('b', 1_000)], nextCursor: null };

async function show(answer: unknown) {
  server.answer(ROUTE, answer);
  const [onOpen, onDeleted] = [vi.fn(), vi.fn()];
  const props = { flowId: 'f1', current: 'a', onOpen, onDeleted };
  const box = await page.show(inClient(testClient())(createElement(SessionList, props)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  const pick = async (action: string) => {
    await fire(named(box, 'Actions for Chat b'), 'keydown', { key: 'Enter' });
    await fire(named(document.body, action, '[role=menuitem]'), 'click');
    return box.querySelector('dialog') as HTMLDialogElement;
  };
  return { box, onOpen, onDeleted, pick };
}

it('lists chats, marks the current one, and opens one', async () => {
  const { box, onOpen } = await show(TWO);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'ul[aria-label=Chats]',
      'button[aria-current=true][type=button]',
      'span Chat a',
      'span Jan 1, 2026 · 1 message',
      'buttonradix-#1[data-state=closed][aria-expanded=false][aria-haspopup=menu][title=Actions for Chat a][aria-label=Actions for Chat a][type=button]',
      'icon ellipsis 16',
      'button[type=button]',
      'span Chat b',
      'span Jan 1, 2026 · 1,000 messages',
      'buttonradix-#2[data-state=closed][aria-expanded=false][aria-haspopup=menu][title=Actions for Chat b][aria-label=Actions for Chat b][type=button]',
      'icon ellipsis 16',
    ]);
  expect([...box.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'Chat aJan 1, 2026 · 1 message',
    'Chat bJan 1, 2026 · 1,000 messages',
  ]);
  expect([
    box.querySelector('ul')?.getAttribute('aria-label'),
    box.querySelector('[aria-current=true]')?.textContent,
  ]).toEqual(['Chats', 'Chat aJan 1, 2026 · 1 message']);
  await fire(
    box.querySelectorAll('li > button')[2] ?? (box.querySelectorAll('li')[1]?.querySelector('button') as Element),
    'click',
  );
  expect(onOpen.mock.calls).toEqual([['b']]);
});

it('renames a chat in a dialog', async () => {
  const { box, pick } = await show(TWO);
  const dialog = await pick('Rename');
  expect([dialog.textContent.startsWith('Rename the chat'), dialog.querySelector('input')?.value]).toEqual([
    true,
    'Chat b',
  ]);
  await fire(named(dialog, 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
  const again = await pick('Rename');
  await type(again.querySelector('input') as Element, 'Other');
  await fire(again.querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(server.requests.at(-1)).toBe('PATCH /api/v1/flows/f1/sessions/b {"name":"Other"}'));
});

it('deletes a chat that was confirmed, and reads the list again', async () => {
  const { box, onDeleted, pick } = await show(TWO);
  let dialog = await pick('Delete');
  expect(dialog.textContent).toMatch(/^Delete “Chat b”\?.*Its messages are deleted too\. You cannot restore them\./);
  await fire(named(dialog, 'Cancel'), 'click');
  dialog = await pick('Delete');
  let finish: (value: unknown) => void = () => undefined;
  server.answer(DELETE, () => new Promise((resolve) => (finish = resolve)));
  await fire(named(dialog, 'Delete chat'), 'click');
  expect(dialog.querySelector('[aria-busy=true]')?.textContent).toContain('Delete chat');
  finish({});
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
  await vi.waitFor(() => expect(server.requests).toEqual([ROUTE, DELETE, ROUTE]));
  expect(onDeleted.mock.calls).toEqual([['b']]);
  expect((await page.show(createElement(Toaster))).textContent).toContain('Deleted the chat.');
});

it('says why a chat was not deleted', async () => {
  const { box, onDeleted, pick } = await show(TWO);
  server.answer(DELETE, refusal(500, 'broken', 'It broke.'));
  await fire(named(await pick('Delete'), 'Delete chat'), 'click');
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
  expect((await page.show(createElement(Toaster))).textContent).toContain('The chat was not deleted. It broke.');
  expect(onDeleted).not.toHaveBeenCalled();
});

it('says that there are none, or why they cannot be listed', async () => {
  expect((await show({ sessions: [], nextCursor: null })).box.textContent).toBe(
    'No chats yet. The first message begins one.',
  );
  const { box } = await show(refusal(500, 'broken', 'It broke.'));
  await expect
    .poll(() => outline(box))
    .toEqual(['div[role=alert] The chats cannot be listed. It broke.', 'button[type=button]', 'span Try again']);
  expect(box.querySelector('[role=alert]')?.textContent).toBe('The chats cannot be listed. It broke.Try again');
  server.answer(ROUTE, TWO);
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Chat a'));
});

it('says that they load, and offers more where there are some', async () => {
  server.answer(ROUTE, () => new Promise(() => undefined));
  const props = { flowId: 'f1', current: 'a', onOpen: vi.fn(), onDeleted: vi.fn() };
  const box = await page.show(inClient(testClient())(createElement(SessionList, props)));
  expect(box.textContent).toBe('Loading the chats');
  expect((await show({ ...TWO, nextCursor: 'n' })).box.textContent).toContain('Show more');
});

it('leaves the question about another chat open while one is being deleted', async () => {
  const { box, onDeleted, pick } = await show(TWO);
  let answer: (value: object) => void = () => undefined;
  server.answer(DELETE, () => new Promise((resolve) => (answer = resolve)));
  const first = await pick('Delete');
  await fire(named(first, 'Delete chat'), 'click');
  await fire(named(first, 'Cancel'), 'click');
  await fire(named(box, 'Actions for Chat a'), 'keydown', { key: 'Enter' });
  await fire(named(document.body, 'Delete', '[role=menuitem]'), 'click');
  answer({});
  await vi.waitFor(() => expect(onDeleted).toHaveBeenCalledWith('b'));
  await settle();
  expect(box.querySelector('dialog')?.textContent).toMatch(/^Delete “Chat a”\?/);
});
