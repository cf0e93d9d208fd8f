import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { settle, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ConnectPage } from './connect-page.tsx';

const server = useFakeApi();
const page = usePage();

async function show(connected: boolean) {
  const status = {
    connected,
    enabled: true,
    directory: '/d',
    hostIdentifier: 'h',
    connectedAt: null,
    toolCategories: [],
  };
  vi.stubGlobal('isSecureContext', false);
  server.answer('GET /instance-ai/gateway/status', { data: status });
  server.answer('POST /instance-ai/gateway/create-link', { command: 'croft connect x', token: 't', ttlSeconds: 300 });
  server.answer('GET /api/v1/mcp-clients', { placeholder: 'K', clients: [] });
  server.answer('GET /api/v1/local-access', { state: 'on', directory: '/srv', canChange: true });
  const me = { autoLogin: true, user: { id: 'u' } } as never;
  const box = await page.show(inClient(testClient())(createElement(ConnectPage, { me })));
  await act(settle);
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return box;
}

it('has a card for agents, for a folder and for the machine', async () => {
  const box = await show(true);
  await expect
    .poll(() => outline(box, 'section'))
    .toEqual([
      'h1[tabindex=-1] Connect',
      'p Your agents connect to this server over MCP. Agents on this server can read a folder on your computer: the files stay there, agents see no other folder, and they cannot change files unless you allow it.',
      'p[role=status] Files connected',
      'section[aria-label=Agents]',
      'section[aria-label=Folder of your computer]',
      'section[aria-label=The machine Croft runs on]',
    ]);
});

it('announces that files are connected', async () => {
  const announced = (box: Element) => box.querySelector('p.sr-only[role=status]')?.textContent;
  expect([announced(await show(true)), announced(await show(false))]).toEqual(['Files connected', '']);
});
