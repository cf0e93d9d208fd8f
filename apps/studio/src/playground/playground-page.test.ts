import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { PlaygroundPage } from './playground-page.tsx';

const server = useFakeApi();
const page = usePage();

async function show(type: string) {
  await act(async () => navigate('/flows/f1/play'));
  server.answer('GET /api/v1/flow-components', { components: [] });
  server.answer('GET /api/v1/flows/f1/sessions', { sessions: [], nextCursor: null });
  const node = { id: 'A', type, position: { x: 0, y: 0 }, values: {} };
  const document = { nodes: [node], edges: [], notes: [], groups: [] };
  server.answer('GET /api/v1/flows/f1', { flow: { id: 'f1', name: 'Daily', version: 1, document } });
  const box = await page.show(inClient(testClient())(createElement(PlaygroundPage)));
  await vi.waitFor(() => expect(box.querySelector('h1')?.textContent).toBe('Daily'));
  return box;
}

it('is a chat for a flow that begins with one', async () => {
  const box = await show('ChatInput');
  await vi.waitFor(() =>
    expect(outline(box)).toEqual([
      'a[href=/base/flows] All flows',
      'icon chevron-left 15',
      'h1[title=Daily][tabindex=-1] Daily',
      'nav[aria-label=Pages of this flow]',
      'a[href=/base/flows/f1] Canvas',
      'a[href=/base/flows/f1/play][aria-current=page] Playground',
      'a[href=/base/flows/f1/runs] Runs',
      'a[href=/base/flows/f1/use] Use it',
      'a[href=/base/flows/f1/versions] Versions',
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
      'p No chats yet. The first message begins one.',
      'section[aria-label=Chat]',
      'div[tabindex=0][aria-label=Messages][role=region]',
      'span[aria-hidden=true]',
      'icon message-square 22',
      'p Chat with Daily',
      'p Write a message. The flow remembers the earlier messages of a chat where one of its components reads them.',
      'textarea[placeholder=Write a message][rows=1][aria-label=Message]',
      'button[type=button]',
      'span Attach a file',
      'icon paperclip 15',
      'button[aria-disabled=true][type=button]',
      'span Send',
      'icon send-horizontal 15',
      'p[role=alert]',
    ]),
  );
  expect(box.querySelector('section[aria-label=Chat]')?.textContent).toContain('Chat with Daily');
  expect([box.querySelector('[aria-current=page]')?.textContent, box.querySelector('section[aria-label=Run]')]).toEqual(
    ['Playground', null],
  );
});

it('is a form for another flow', async () => {
  const box = await show('Other');
  await vi.waitFor(() =>
    expect(outline(box)).toEqual([
      'a[href=/base/flows] All flows',
      'icon chevron-left 15',
      'h1[title=Daily][tabindex=-1] Daily',
      'nav[aria-label=Pages of this flow]',
      'a[href=/base/flows/f1] Canvas',
      'a[href=/base/flows/f1/play][aria-current=page] Playground',
      'a[href=/base/flows/f1/runs] Runs',
      'a[href=/base/flows/f1/use] Use it',
      'a[href=/base/flows/f1/versions] Versions',
      'section[aria-label=Run]',
      'h2 Run',
      'span[role=status]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 16',
      'p One component prevents a run:',
      "li Other has the type 'Other', which this Croft does not have. Replace or remove the component.",
      'button[type=button] Show Other',
      'button[disabled][type=submit]',
      'span Run',
      'icon play 16',
    ]),
  );
  expect([
    box.querySelector('section[aria-label=Run]') !== null,
    box.querySelector('section[aria-label=Chat]'),
  ]).toEqual([true, null]);
});
