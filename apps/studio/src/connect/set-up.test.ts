import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { ServerLink } from '../shell/server-link.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { SetUp } from './set-up.tsx';

const page = usePage();
const TITLE = [
  'section[aria-label=Folder of your computer]',
  'h2 Connect a folder of your computer',
  'p Open a terminal on that computer, in the folder that your agents may read, and run this command. It needs Node.js 20.19 or newer. npx keeps Croft in its cache and installs nothing else.',
];
type Pairing = Parameters<typeof SetUp>[0]['pairing'];

async function show(pairing: Partial<Pairing> = {}, more: object = {}, away = false) {
  const onAsk = vi.fn();
  const renew = vi.fn(() => Promise.reject(new Error('again')));
  const given = { command: 'croft connect x', leftS: 65, error: null, renew, fresh: async () => 'newest', ...pairing };
  const props = { pairing: given as unknown as Pairing, problem: undefined, resting: false, onAsk, ...more };
  const link = { live: true, away, tryNow: () => undefined };
  const box = await page.show(createElement(ServerLink, { value: link }, createElement(SetUp, props)));
  return { box, onAsk, renew };
}

it('has the command, how long it works, and asks a running daemon', async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  const { box, onAsk } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'pre[role=group][aria-label=Command that connects a folder]',
      'code croft connect x',
      'span[aria-hidden=true] $',
      'button[aria-live=polite][type=button]',
      'span Copy',
      'icon copy 16',
      'p[role=status] Waiting for it to connect',
      'span[aria-hidden=true]',
      'p Works once, for another',
      'span 1:05',
      'p Is  already running on this computer? Ask it to connect to this server.',
      'code croft connect',
      'button[type=button]',
      'span Ask it to connect',
    ]);
  expect(box.querySelector('section')?.getAttribute('aria-label')).toBe('Folder of your computer');
  expect(box.textContent).toBe(
    'Connect a folder of your computerOpen a terminal on that computer, in the folder that your agents may read, and run ' +
      'this command. It needs Node.js 20.19 or newer. npx keeps Croft in its cache and installs nothing else.' +
      '$ croft connect xCopy Waiting for it to connectWorks once, for another 1:05' +
      'Is croft connect already running on this computer? Ask it to connect to this server.Ask it to connect',
  );
  expect(box.querySelector('pre')?.getAttribute('aria-label')).toBe('Command that connects a folder');
  await fire(named(box, 'Copy'), 'click');
  expect([writeText.mock.calls, onAsk.mock.calls.length]).toEqual([[['newest']], 0]);
  await fire(named(box, 'Ask it to connect'), 'click');
  expect(onAsk).toHaveBeenCalledOnce();
});

it.each([
  [1, 'for another 0:01'],
  [60, 'for another 1:00'],
  [0, 'Expired. Creating a new command.'],
])('says with %d seconds left: %s', async (leftS, text) => {
  expect((await show({ leftS })).box.textContent).toContain(text);
});

it('says that the command is being created, and that the server is away', async () => {
  const { box } = await show({ command: undefined } as Partial<Pairing>, {}, true);
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...TITLE,
      'div[role=status]',
      'span Creating the command',
      'span[aria-hidden=true]',
      'p[role=status] Croft does not answer',
      'p Is  already running on this computer? Ask it to connect to this server.',
      'code croft connect',
      'button[type=button]',
      'span Ask it to connect',
    ]);
  expect(box.textContent).toContain('nothing else.Creating the commandCroft does not answer');
  expect(box.querySelectorAll('[role=status]').length).toBe(2);
});

it('says what went wrong, and that the person disconnected', async () => {
  const { box } = await show({}, { problem: 'It refused.', resting: true });
  expect(box.querySelector('.text-warn[role=status]')?.textContent).toBe('It refused.');
  expect(box.textContent).toContain(
    'You disconnected. If croft connect still runs on this computer, it connects again only when you ask it.',
  );
  expect((await show()).box.querySelector('.text-warn')).toBeNull();
});

it('shows why the command could not be made, and tries again', async () => {
  const error = new Error('Too many links.');
  const { box, renew } = await show({ command: undefined, error } as Partial<Pairing>);
  expect(box.textContent).toBe('The command cannot be createdToo many links.Try again');
  await fire(named(box, 'Try again'), 'click');
  expect(renew).toHaveBeenCalledOnce();
  expect((await show({ leftS: 0, error })).box.textContent).toBe(box.textContent);
  expect((await show({ error })).box.textContent).toContain('croft connect x');
});
