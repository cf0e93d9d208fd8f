import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { flowCommandsQuery } from '../api/flow-commands.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { CommandDialog } from './command-dialog.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const CHECK = 'POST /api/v1/flow-commands/check';
const ALLOW = 'POST /api/v1/flow-commands';

async function open() {
  const onClose = vi.fn();
  const client = testClient();
  client.setQueryData(flowCommandsQuery.queryKey, {} as never);
  const box = await page.show(inClient(client)(createElement(CommandDialog, { onClose })));
  const check = async (command: string) => {
    await type(box.querySelector('input') as Element, command);
    await fire(box.querySelector('form') as Element, 'submit');
  };
  const shown = () => [...box.querySelectorAll('ol li')].map(({ textContent }) => textContent);
  return { box, client, onClose, check, shown };
}

it('allows exactly the program and arguments that the person saw', async () => {
  const { box, client, onClose, check, shown } = await open();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 Allow a command',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'label[for=#2] Command',
      'input#2[aria-describedby=#2-hint][placeholder=npx -y some-server@1.2.3][spellCheck=false][maxLength=500][required][data-first=true][autoComplete=off]',
      'p#2-hint A program and its arguments, as a flow names them. Not a shell: no pipes and no variables.',
      'p#2-error[role=alert]',
      'button[type=submit]',
      'span Check',
      'button[type=button]',
      'span Cancel',
    ]);
  server.answer(CHECK, { argv: ['npx', '', '-y pkg'] });
  server.answer(ALLOW, {});
  await check('npx "" "-y pkg"');
  await vi.waitFor(() => expect(shown()).toEqual(['npx', '(empty)', '-y pkg']));
  expect(server.requests).toHaveLength(1);
  expect(outline(box)).toEqual([
    'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
    'h2#1 Allow this command?',
    'button[title=Close][aria-label=Close][type=button]',
    'icon x 18',
    'p#1-about It is code: it runs with the rights of the server, and can read and change everything that the server can.',
    'p The server starts',
    'ol[aria-label=Program and arguments]',
    'li npx',
    'li (empty)',
    'li -y pkg',
    'span[aria-hidden=true]',
    'icon shield-exclamation-point 16',
    'div A program that loads packages, such as npx, can run other code tomorrow: name a version if you can. Croft cannot see every way in which a program runs files that flows write.',
    'button[type=button]',
    'span Allow command',
    'button[data-first=true][type=button]',
    'span Back',
  ]);
  await fire(named(box, 'Allow command'), 'click');
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(isInvalid(client, flowCommandsQuery.queryKey)).toBe(true);
  expect((await page.show(createElement(Toaster))).textContent).toBe(
    'Allowed. Flows of administrators can start this command now.',
  );
  expect(server.requests).toEqual([
    `${CHECK} {"command":"npx \\"\\" \\"-y pkg\\""}`,
    `${ALLOW} {"command":"npx \\"\\" \\"-y pkg\\"","argv":["npx","","-y pkg"]}`,
  ]);
});

it('goes back without allowing anything, with the focus there', async () => {
  const { box, check, shown } = await open();
  server.answer(CHECK, { argv: ['npx'] });
  await check('npx');
  await vi.waitFor(() => expect(shown()).toEqual(['npx']));
  expect(box.querySelector('[data-first]')?.textContent).toBe('Back');
  await fire(named(box, 'Back'), 'click');
  await vi.waitFor(() => expect(box.querySelector('form')).not.toBeNull());
  expect(server.requests).toHaveLength(1);
});

it('says why a command cannot be allowed', async () => {
  const { box, onClose, check, shown } = await open();
  server.answer(CHECK, refusal(422, 'invalid', 'It is a shell command.'));
  await check('a | b');
  await vi.waitFor(() => expect(box.textContent).toContain('It is a shell command.'));
  server.answer(CHECK, { argv: ['npx'] });
  server.answer(ALLOW, refusal(403, 'forbidden', 'Only administrators may.'));
  await check('npx');
  await vi.waitFor(() => expect(shown()).toEqual(['npx']));
  await fire(named(box, 'Allow command'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Only administrators may.'));
  expect(onClose).not.toHaveBeenCalled();
});
