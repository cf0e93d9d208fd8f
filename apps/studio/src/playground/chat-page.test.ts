import type { FlowDocument } from '@croft/flow';
import { createRegistry, emptyFlow } from '@croft/flow';
import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { OpenFlow } from '../flows/with-flow.tsx';
import { navigate } from '../routing/location.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ChatPage } from './chat-page.tsx';

const server = useFakeApi();
const page = usePage();

async function show(at: string) {
  await act(async () => navigate(at));
  const session = (id: string) => ({ id, name: `Chat ${id}`, messages: 1, updatedAt: '2026-01-01T00:00:00Z' });
  server.answer('GET /api/v1/flows/f1/sessions', { sessions: [session('s1'), session('s2')], nextCursor: null });
  for (const id of ['s1', 's2'])
    server.answer(`GET /api/v1/flows/f1/sessions/${id}/messages`, { messages: [], nextCursor: null });
  const node = { id: 'A', type: 'ChatInput', position: { x: 0, y: 0 }, values: {} };
  const document: FlowDocument = { ...emptyFlow('Daily'), nodes: [node] };
  const open = {
    flow: { id: 'f1', name: 'Daily', version: 1 },
    document,
    registry: createRegistry([]),
  } as unknown as OpenFlow;
  const box = await page.show(inClient(testClient())(createElement(ChatPage, { open })));
  const aside = box.querySelector('aside') as Element;
  await vi.waitFor(() => expect(aside.textContent).toContain('Chat s2'));
  const current = () => aside.querySelector('[aria-current=true] .font-medium')?.textContent;
  const row = (name: string, from: Element = aside) =>
    [...from.querySelectorAll('li > button')].find(({ textContent }) => textContent.startsWith(name)) as Element;
  return { box, aside, current, row };
}

it('shows the chat of the address, opens another one, and begins a new one', async () => {
  const { aside, current, row } = await show('/flows/f1/play?chat=s1');
  expect([aside.getAttribute('aria-label'), current()]).toEqual(['Chats', 'Chat s1']);
  await fire(row('Chat s2'), 'click');
  expect([location.search, current()]).toEqual(['?chat=s2', 'Chat s2']);
  await fire(named(aside, 'New chat'), 'click');
  expect([location.pathname, location.search, current()]).toEqual(['/base/flows/f1/play', '', undefined]);
});

it('has the list in a dialog on a phone, which closes when a chat is opened', async () => {
  const { box, row } = await show('/flows/f1/play');
  await expect
    .poll(() => outline(box, 'ul, section'))
    .toEqual([
      'button[type=button]',
      'span Chats',
      'icon messages-square 15',
      'button[type=button]',
      'span New chat',
      'icon plus 15',
      'aside[aria-label=Chats]',
      'button[type=button]',
      'span New chat',
      'icon plus 15',
      'ul[aria-label=Chats]',
      'section[aria-label=Chat]',
    ]);
  expect(box.querySelector('section')?.textContent).toContain('Chat with Daily');
  await fire(named(box, 'Chats'), 'click');
  const dialog = box.querySelector('dialog') as Element;
  expect(dialog.querySelector('h2')?.textContent).toBe('Chats');
  await fire(row('Chat s1', dialog), 'click');
  expect([box.querySelector('dialog'), location.search]).toEqual([null, '?chat=s1']);
});

it('begins a new chat where the shown one was deleted, and stays where another one was', async () => {
  const { box, aside } = await show('/flows/f1/play?chat=s1');
  const remove = async (name: string) => {
    server.answer(`DELETE /api/v1/flows/f1/sessions/${name}`, {});
    await fire(named(aside, `Actions for Chat ${name}`), 'keydown', { key: 'Enter' });
    await fire(named(document.body, 'Delete', '[role=menuitem]'), 'click');
    await fire(named(box, 'Delete chat'), 'click');
    await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
  };
  await remove('s2');
  expect(location.search).toBe('?chat=s1');
  await remove('s1');
  expect(location.search).toBe('');
});
