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
    .poll(() => outline(box))
    .toEqual([
      'h1[tabindex=-1] Connect',
      'p Your agents connect to this server over MCP. Agents on this server can read a folder on your computer: the files stay there, agents see no other folder, and they cannot change files unless you allow it.',
      'p[role=status] Files connected',
      'section[aria-label=Agents]',
      'h2 Connect an agent',
      'p Claude Code, Cursor, VS Code, Codex and other MCP clients use your files at . At , they build and run your flows, and get the flows that you offer as tools. Add both if you need both.',
      'code http://croft.test/base/mcp',
      'code http://croft.test/base/mcp/flows',
      'legend Tools of the agent',
      'label Files',
      'input[name=#1][type=radio][checked]',
      'label Flows',
      'input[name=#1][type=radio]',
      'div[data-orientation=horizontal][dir=ltr]',
      'div[data-orientation=horizontal][tabindex=-1][aria-label=MCP client][aria-orientation=horizontal][role=tablist]',
      'p Replace  with an API key. A new key comes with the finished text for each client. Revoke keys under .',
      'code croft_…',
      'a[href=/base/settings/keys] API keys',
      'button[type=button]',
      'span New key',
      'icon plus 16',
      'section[aria-label=Folder of your computer]',
      'span Files connected',
      'icon folder-check 20',
      'span Agents may read',
      'span[aria-hidden=true]',
      'dt Folder',
      'bdi /d',
      'dt Computer',
      'bdi h',
      'p#2 Let agents use this folder',
      'p#2-about When off, agents cannot use it. The connection stays open.',
      'button[aria-describedby=#2-about][aria-labelledby=#2][data-state=checked][aria-checked=true][role=switch][type=button]',
      'span[data-state=checked]',
      'button[type=button]',
      'span Disconnect',
      'icon unplug 17',
      'section[aria-label=The machine Croft runs on]',
      'span The machine Croft runs on',
      'icon hard-drive 19',
      'p Direct access: your agents can read a directory on this machine and cannot change it. While a folder of your computer is connected, they use that folder instead.',
      'span Not used now',
      'span[aria-hidden=true]',
      'bdi /srv',
      'button[type=button]',
      'span Remove',
    ]);
  expect([box.querySelector('h1')?.textContent, box.querySelector('p')?.textContent]).toEqual([
    'Connect',
    'Your agents connect to this server over MCP. Agents on this server can read a folder on your computer: the files stay ' +
      'there, agents see no other folder, and they cannot change files unless you allow it.',
  ]);
  expect([...box.querySelectorAll('section')].map((card) => card.getAttribute('aria-label'))).toEqual([
    'Agents',
    'Folder of your computer',
    'The machine Croft runs on',
  ]);
});

it('announces that files are connected', async () => {
  const announced = (box: Element) => box.querySelector('p.sr-only[role=status]')?.textContent;
  expect([announced(await show(true)), announced(await show(false))]).toEqual(['Files connected', '']);
});
