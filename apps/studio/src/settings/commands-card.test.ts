import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { CommandsCard } from './commands-card.tsx';

const server = useFakeApi();
const page = usePage();
const TITLE = [
  'section[aria-label=Commands of MCP servers]',
  'h2 Commands of MCP servers',
  'p Flows of administrators may start these as MCP servers. A command is code with the rights of the server.',
];
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/flow-commands';
const NPX = { id: '7', command: 'npx "a b"', argv: ['npx', 'a b'], isFound: true };

async function show(answer: unknown) {
  server.answer(ROUTE, answer);
  const box = await page.show(inClient(testClient())(createElement(CommandsCard)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  return box;
}

it('lists fixed commands and those that were allowed, and says which do not work any more', async () => {
  const box = await show({ fixed: ['uvx x'], commands: [NPX, { ...NPX, id: '8', command: 'gone', isFound: false }] });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'button[type=button]',
      'span Allow a command',
      'icon plus 17',
      'p uvx x',
      'span Fixed by CROFT_FLOW_COMMANDS',
      'p npx "a b"',
      'p Runs',
      'span npx a b',
      'button[aria-label=Remove npx "a b"][type=button]',
      'span Remove',
      'p gone',
      'p Runs',
      'span npx a b',
      'p The server finds another program now, or none, and refuses the command. Remove it and allow it again.',
      'button[aria-label=Remove gone][type=button]',
      'span Remove',
    ]);
  expect(box.textContent).toBe(
    'Commands of MCP serversFlows of administrators may start these as MCP servers. A command is code with the rights of ' +
      'the server. Allow a command' +
      'uvx xFixed by CROFT_FLOW_COMMANDS' +
      'npx "a b"Runs npx a bRemove' +
      'goneRuns npx a bThe server finds another program now, or none, and refuses the command. Remove it and allow it ' +
      'again.Remove',
  );
});

it('removes exactly the command that was confirmed', async () => {
  const box = await show({ fixed: [], commands: [NPX, { ...NPX, id: '8', command: 'other' }] });
  await fire(named(box, 'Remove other'), 'click');
  const dialog = box.querySelector('dialog') as HTMLDialogElement;
  expect(dialog.textContent).toMatch(
    /^Remove this command\?.*Flows that start other fail from now on\. Runs that have started it keep it until they end\./,
  );
  server.answer('DELETE /api/v1/flow-commands/8', {});
  await fire(named(dialog, 'Remove command'), 'click');
  await vi.waitFor(() => expect(server.requests).toEqual([ROUTE, 'DELETE /api/v1/flow-commands/8', ROUTE]));
  expect((await page.show(createElement(Toaster))).textContent).toContain(
    'Removed. Flows can no longer start this command.',
  );
});

it('opens the dialog that allows one, also where there are none', async () => {
  const box = await show({ fixed: [], commands: [] });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'span[aria-hidden=true]',
      'icon square-terminal 22',
      'p No commands yet',
      'p Flows reach MCP servers by their addresses.',
      'button[type=button]',
      'span Allow a command',
      'icon plus 17',
    ]);
  expect(box.textContent).toContain('No commands yetFlows reach MCP servers by their addresses.');
  expect(box.querySelector('dialog')).toBeNull();
  await fire(named(box, 'Allow a command'), 'click');
  expect(box.querySelector('dialog')?.textContent).toContain('Allow a command');
  await fire(named(box.querySelector('dialog') as Element, 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
});

it('says why they cannot be shown, and tries again', async () => {
  const box = await show(refusal(500, 'broken', 'It broke.'));
  expect(box.textContent).toContain('The commands cannot be shownIt broke.');
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(server.requests).toEqual([ROUTE, ROUTE]));
});
