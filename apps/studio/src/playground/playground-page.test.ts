import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { useFakeApi } from '../testing/fake-api.ts';
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
  expect(box.querySelector('section[aria-label=Chat]')?.textContent).toContain('Chat with Daily');
  expect([box.querySelector('[aria-current=page]')?.textContent, box.querySelector('section[aria-label=Run]')]).toEqual(
    ['Playground', null],
  );
});

it('is a form for another flow', async () => {
  const box = await show('Other');
  expect([
    box.querySelector('section[aria-label=Run]') !== null,
    box.querySelector('section[aria-label=Chat]'),
  ]).toEqual([true, null]);
});
