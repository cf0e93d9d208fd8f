import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { check, fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ClientConfigs, mcpAddress } from './client-configs.tsx';

const server = useFakeApi();
const page = usePage();
const urlOf = (over: string) => `GET /api/v1/mcp-clients?url=http%3A%2F%2Fcroft.test%2Fbase&over=${over}`;
const clients = (word: string) => ({
  placeholder: 'KEY',
  clients: [
    { id: 'a', client: 'Zed', where: 'In settings', text: `${word} KEY and KEY` },
    { id: 'b', client: 'Cursor', where: 'In mcp.json', text: `${word} b` },
  ],
});

async function show(secret?: string, client = testClient()) {
  const box = await page.show(inClient(client)(createElement(ClientConfigs, secret === undefined ? {} : { secret })));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return box;
}
const shown = (box: Element) => box.querySelector('[role=tabpanel]:not([hidden])');

it('has the text for each client, with a placeholder or the key', async () => {
  server.answer(urlOf('files'), clients('files'));
  const box = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'legend Tools of the agent',
      'label Files',
      'input[name=#1][type=radio][checked]',
      'label Flows',
      'input[name=#1][type=radio]',
      'div[data-orientation=horizontal][dir=ltr]',
      'div[data-orientation=horizontal][tabindex=0][aria-label=MCP client][aria-orientation=horizontal][role=tablist]',
      'buttonradix-#2-trigger-a[data-radix-collection-item][data-orientation=horizontal][tabindex=-1][data-state=active][aria-controls=radix-#2-content-a][aria-selected=true][role=tab][type=button] Zed',
      'buttonradix-#2-trigger-b[data-radix-collection-item][data-orientation=horizontal][tabindex=-1][data-state=inactive][aria-controls=radix-#2-content-b][aria-selected=false][role=tab][type=button] Cursor',
      'divradix-#2-content-a[tabindex=0][aria-labelledby=radix-#2-trigger-a][role=tabpanel][data-orientation=horizontal][data-state=active]',
      'p In settings',
      'button[aria-live=polite][type=button]',
      'span Copy',
      'icon copy 16',
      'pre[aria-label=Configuration of Zed][role=group][tabindex=0] files KEY and KEY',
      'divradix-#2-content-b[tabindex=0][hidden][aria-labelledby=radix-#2-trigger-b][role=tabpanel][data-orientation=horizontal][data-state=inactive]',
    ]);
  expect([
    box.querySelector('legend')?.textContent,
    box.querySelector('[role=tablist]')?.getAttribute('aria-label'),
  ]).toEqual(['Tools of the agent', 'MCP client']);
  expect([...box.querySelectorAll('[role=tab]')].map(({ textContent }) => textContent)).toEqual(['Zed', 'Cursor']);
  expect(shown(box)?.textContent).toBe('In settingsCopyfiles KEY and KEY');
  expect(shown(box)?.querySelector('pre')?.getAttribute('aria-label')).toBe('Configuration of Zed');
  expect(shown(await show('s3'))?.textContent).toBe('In settingsCopyfiles s3 and s3');
});

it('copies what it shows', async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  server.answer(urlOf('files'), clients('files'));
  await fire(named(shown(await show('s3')) as Element, 'Copy'), 'click');
  expect(writeText.mock.calls).toEqual([['files s3 and s3']]);
});

it('changes to the tools over flows', async () => {
  server.answer(urlOf('files'), clients('files'));
  server.answer(urlOf('flows'), clients('flows'));
  const box = await show();
  const [files, flows] = [...box.querySelectorAll('[type=radio]')] as [HTMLInputElement, HTMLInputElement];
  expect([...box.querySelectorAll('label')].map(({ textContent }) => textContent)).toEqual(['Files', 'Flows']);
  expect([files.checked, flows.checked]).toEqual([true, false]);
  await check(flows);
  await vi.waitFor(() => expect(shown(box)?.textContent).toContain('flows KEY'));
});

it('says that the clients load, and why they cannot be shown', async () => {
  server.answer(urlOf('files'), () => new Promise(() => undefined));
  const loading = await page.show(inClient(testClient())(createElement(ClientConfigs)));
  expect(loading.textContent).toContain('Loading the clients');
  server.answer(urlOf('files'), refusal(500, 'broken', 'It broke.'));
  const box = await show();
  expect(box.textContent).toContain('The clients cannot be shownIt broke.');
  server.answer(urlOf('files'), clients('files'));
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(shown(box)?.textContent).toContain('files KEY'));
});

it('has an address for each kind of tools', () => {
  expect([mcpAddress('files'), mcpAddress('flows')]).toEqual([
    'http://croft.test/base/mcp',
    'http://croft.test/base/mcp/flows',
  ]);
});

it('keeps the texts while they cannot be loaded again', async () => {
  server.answer(urlOf('files'), clients('files'));
  const client = testClient();
  const box = await show('s3', client);
  server.answer(urlOf('files'), refusal(500, 'broken', 'It broke.'));
  await act(() => client.refetchQueries().then(settle));
  expect(server.requests).toHaveLength(2);
  expect(shown(box)?.textContent).toContain('files s3 and s3');
});
