import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { named, usePage } from '../testing/page.ts';
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

const parts = (box: Element) =>
  [...box.querySelectorAll('h1, nav, aside, section[aria-label]')].map(
    (each) => each.getAttribute('aria-label') ?? each.textContent,
  );

it('is a chat for a flow that begins with one', async () => {
  const box = await show('ChatInput');
  await vi.waitFor(() => expect(parts(box)).toEqual(['Daily', 'Pages of this flow', 'Chats', 'Chat']));
  expect(box.querySelector('section[aria-label=Chat]')?.textContent).toContain('Chat with Daily');
  expect(box.querySelector('[aria-current=page]')?.textContent).toBe('Playground');
  expect(named(box, 'Canvas').getAttribute('href')).toBe('/base/flows/f1');
});

it('is a form for another flow', async () => {
  const box = await show('Other');
  await vi.waitFor(() => expect(parts(box)).toEqual(['Daily', 'Pages of this flow', 'Run']));
  expect(box.querySelector('section[aria-label=Run]')?.textContent).toContain("Other has the type 'Other'");
});
