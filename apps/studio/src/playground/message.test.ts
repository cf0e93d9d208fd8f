import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { ChatMessage } from '../api/chats.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { FlowMessage, UserMessage } from './message.tsx';

const page = usePage();

it('has the text of the user with links to its files', async () => {
  const box = await page.show(createElement(UserMessage, { text: 'Look\n\nAttached files:\n- d/a.txt\n- b.txt' }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'span You wrote',
      'p Look',
      'a[href=/base/files?dir=d&file=d%2Fa.txt]',
      'icon paperclip 14',
      'bdi a.txt',
      'a[href=/base/files?file=b.txt]',
      'icon paperclip 14',
      'bdi b.txt',
    ]);
  expect(box.textContent).toBe('You wroteLooka.txtb.txt');
  expect([...box.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    '/base/files?dir=d&file=d%2Fa.txt',
    '/base/files?file=b.txt',
  ]);
  const filesOnly = await page.show(createElement(UserMessage, { text: 'Attached files:\n- b.txt' }));
  expect([filesOnly.textContent, filesOnly.querySelector('p')]).toEqual(['You wroteb.txt', null]);
});

it('names the sender of an answer unless it is the usual one', async () => {
  const show = async (senderName: string, isCut = false) =>
    (await page.show(createElement(FlowMessage, { message: { text: '*Hi*', senderName, isCut } as ChatMessage })))
      .textContent;
  expect([await show('AI'), await show('Bot')]).toEqual(['The flow answeredHi', 'BotHi']);
  expect(await show('AI', true)).toBe(
    'The flow answeredHiThe end of this message was not kept: it is too long for the history.',
  );
});
