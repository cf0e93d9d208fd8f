import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { meQuery } from '../api/me.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { CommandControl, ToolControl } from './mcp-control.tsx';
import type { McpTools } from './mcp-tools.ts';

const server = useFakeApi();
const page = usePage();
const control = { id: 'c', 'aria-describedby': undefined, 'aria-invalid': undefined };

async function command(value: string, role: string | undefined, commands: unknown, until?: string) {
  server.answer('GET /api/v1/flow-commands', commands);
  const client = testClient();
  client.setDefaultOptions({ queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } });
  if (role) client.setQueryData(meQuery.queryKey, { user: { role } } as never);
  const onValue = vi.fn();
  const box = await page.show(
    inClient(client)(createElement(CommandControl, { control, value, onValue, disabled: false })),
  );
  if (until !== undefined) await vi.waitFor(() => expect(box.textContent).toContain(until));
  return { box, onValue };
}
const COMMANDS = {
  fixed: ['uvx x'],
  commands: [
    { command: 'npx y', isFound: true },
    { command: 'uvx x', isFound: true },
    { command: 'gone', isFound: false },
  ],
};

it('offers administrators the commands that are allowed', async () => {
  const { box, onValue } = await command('', 'admin', COMMANDS, 'Allow a command');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'option[selected] Choose…',
      'option uvx x',
      'option npx y',
      'p in Settings → Workers.',
      'a[href=/base/settings/workers] Allow a command',
    ]);
  const select = box.querySelector('select') as HTMLSelectElement;
  const options = [...select.querySelectorAll('option')].map(({ textContent }) => textContent);
  expect([
    options.filter((each) => each === 'uvx x').length,
    options.includes('npx y'),
    options.includes('gone'),
  ]).toEqual([1, true, false]);
  expect(box.querySelector('p')?.textContent).toBe('Allow a command in Settings → Workers.');
  expect(named(box, 'Allow a command').getAttribute('href')).toBe('/base/settings/workers');
  await choose(select, 'npx y');
  expect(onValue.mock.calls).toEqual([['npx y']]);
});

it('says that a command is not allowed, or that none is', async () => {
  expect((await command('rm', 'admin', COMMANDS, 'Allow a command')).box.textContent).toContain(
    'This command is not allowed. ',
  );
  const { box } = await command('', 'admin', { fixed: [], commands: [] }, 'Allow a command');
  expect([box.querySelector('select'), box.textContent]).toEqual([
    null,
    'No command is allowed on this server yet. Allow a command in Settings → Workers.',
  ]);
});

it('is a text for others, whose runs start no command', async () => {
  const { box, onValue } = await command('x', 'user', COMMANDS, 'Only runs');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'input[autoComplete=off][value=x]',
      'span[aria-hidden=true]',
      'icon square-terminal 16',
      'div Only runs of administrators start commands. Use the transport Streamable HTTP, or ask an administrator.',
    ]);
  expect(box.textContent).toBe(
    'Only runs of administrators start commands. Use the transport Streamable HTTP, or ask an administrator.',
  );
  await type(box.querySelector('input') as Element, 'xy');
  expect([onValue.mock.calls, server.requests]).toEqual([[['xy']], []]);
});

it('waits for the user and the commands, and says where these cannot be listed', async () => {
  const isDisabled = (box: Element) => box.querySelector('input')?.hasAttribute('disabled');
  expect(isDisabled((await command('x', 'admin', () => new Promise(() => undefined))).box)).toBe(true);
  const { box } = await command('x', 'admin', refusal(500, 'broken'), 'now.');
  expect([isDisabled(box), box.textContent]).toEqual([false, 'The allowed commands cannot be listed now.']);
});

async function tool(value: string, mcp: object, disabled = false) {
  const [onValue, list] = [vi.fn(), vi.fn()];
  const whole = {
    server: { url: 'x' },
    tools: undefined,
    failure: undefined,
    isListing: false,
    list,
    ...mcp,
  } as unknown as McpTools;
  const props = { control, value, onValue, disabled, mcp: whole, placeholder: 'Name' };
  const box = await page.show(createElement(ToolControl, props));
  const status = () => box.querySelector('[role=status]')?.textContent;
  const button = [...box.querySelectorAll('button')].find(({ textContent }) => textContent.includes('List the tools'));
  return { box, status, button, onValue, list };
}
const TOOLS = [
  { name: 'read', description: 'Reads', inputSchema: { properties: {} } },
  { name: 'write', description: 'Writes', inputSchema: { properties: {} } },
];

it('lists the tools of a server on request', async () => {
  const { box, button, status, list } = await tool('', {});
  expect([box.querySelector('input')?.getAttribute('placeholder'), status(), box.querySelector('ul')]).toEqual([
    'Name',
    '',
    null,
  ]);
  await fire(button as Element, 'click');
  expect(list).toHaveBeenCalledOnce();
  expect((await tool('', { server: undefined })).button?.hasAttribute('disabled')).toBe(true);
  const listing = await tool('', { isListing: true, failure: 'No.' });
  expect([
    listing.button?.hasAttribute('disabled'),
    listing.box.querySelector('.animate-spin') !== null,
    listing.status(),
  ]).toEqual([true, true, '']);
});

it('chooses a tool of the list, and none by another press', async () => {
  const { box, status, onValue } = await tool('read', { tools: TOOLS });
  const buttons = [...box.querySelectorAll('ul button')];
  expect([
    box.querySelector('ul')?.getAttribute('aria-label'),
    buttons.map((each) => [each.textContent, each.getAttribute('aria-pressed')]),
  ]).toEqual([
    'Tools of the server',
    [
      ['readReads', 'true'],
      ['writeWrites', 'false'],
    ],
  ]);
  expect(status()).toBe('Arguments: none that are known');
  await fire(buttons[1] as Element, 'click');
  await fire(buttons[0] as Element, 'click');
  expect(onValue.mock.calls).toEqual([['write'], ['']]);
});

it('shows invisible characters of the texts of a server by their codes, and lines of a description as lines', async () => {
  const tools = [{ name: 'read\n\u200b', description: 'a\n\u202eb', inputSchema: { properties: {} } }];
  expect((await tool('', { tools })).box.querySelector('ul')?.textContent).toBe('read[U+000A][U+200B]a\n[U+202E]b');
  expect((await tool('x', { failure: 'No\u202e.' })).status()).toBe('No[U+202E].');
});

it('says what is wrong with the name or the server', async () => {
  expect((await tool('other', { tools: TOOLS })).status()).toBe('The server has no tool of this name.');
  expect((await tool('', { tools: TOOLS })).status()).toBe('');
  expect((await tool('x', { tools: [] })).status()).toBe('The server has no tools.');
  expect((await tool('x', { failure: 'It does not answer.' })).status()).toBe('It does not answer.');
});

it('changes nothing where it is disabled', async () => {
  const { box, button } = await tool('', { tools: TOOLS }, true);
  expect([
    button,
    [...box.querySelectorAll('ul button, input')].every((each) => each.hasAttribute('disabled')),
  ]).toEqual([undefined, true]);
});
