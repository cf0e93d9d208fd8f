import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { AgentCard } from './agent-card.tsx';

const server = useFakeApi();
const page = usePage();

it('says where agents connect, and makes a key', async () => {
  server.answer('GET /api/v1/mcp-clients', { clients: [] });
  const box = await page.show(inClient(testClient())(createElement(AgentCard)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  await expect
    .poll(() => outline(box, 'fieldset'))
    .toEqual([
      'section[aria-label=Agents]',
      'h2 Connect an agent',
      'p Claude Code, Cursor, VS Code, Codex and other MCP clients use your files at . At , they build and run your flows, and get the flows that you offer as tools. Add both if you need both.',
      'code http://croft.test/base/mcp',
      'code http://croft.test/base/mcp/flows',
      'div[data-orientation=horizontal][dir=ltr]',
      'div[data-orientation=horizontal][tabindex=-1][aria-label=MCP client][aria-orientation=horizontal][role=tablist]',
      'p Replace  with an API key. A new key comes with the finished text for each client. Revoke keys under .',
      'code croft_…',
      'a[href=/base/settings/keys] API keys',
      'button[type=button]',
      'span New key',
      'icon plus 16',
    ]);
  expect(box.querySelector('fieldset')?.textContent).toBe('Tools of the agentFilesFlows');
  expect(box.textContent).toMatch(
    /^Connect an agentClaude Code, Cursor, VS Code, Codex and other MCP clients use your files at http:\/\/croft\.test\/base\/mcp\. At http:\/\/croft\.test\/base\/mcp\/flows, they build and run your flows, and get the flows that you offer as tools\. Add both if you need both\./,
  );
  expect(box.textContent).toContain(
    'Replace croft_… with an API key. A new key comes with the finished text for each client. Revoke keys under API keys.',
  );
  expect(named(box, 'API keys').getAttribute('href')).toBe('/base/settings/keys');
  expect(box.querySelector('dialog')).toBeNull();
  await fire(named(box, 'New key'), 'click');
  await fire(named(box.querySelector('dialog') as Element, 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
});
