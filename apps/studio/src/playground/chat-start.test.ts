import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { ChatStart } from './chat-start.tsx';

const page = usePage();

async function show(sample: string, isPublic?: boolean) {
  const onSample = vi.fn();
  const props = { name: 'Helper', sample, onSample, ...(isPublic !== undefined && { isPublic }) };
  const box = await page.show(createElement(ChatStart, props));
  return { box, button: box.querySelector('button'), onSample };
}

it('says what to do, and offers the example of the flow', async () => {
  const { box, button, onSample } = await show('Hello?');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'span[aria-hidden=true]',
      'icon message-square 22',
      'p Chat with Helper',
      'p Write a message. The flow remembers the earlier messages of a chat where one of its components reads them.',
      'button[type=button]',
      'span Hello?',
    ]);
  expect(box.textContent).toBe(
    'Chat with HelperWrite a message. The flow remembers the earlier messages of a chat where one of its components reads ' +
      'them.Hello?',
  );
  await fire(button as Element, 'click');
  expect(onSample.mock.calls).toEqual([['Hello?']]);
});

it('shortens a long example, and gives all of it', async () => {
  const { button, onSample } = await show('a'.repeat(81));
  expect(button?.textContent).toBe(`${'a'.repeat(80)}…`);
  await fire(button as Element, 'click');
  expect(onSample.mock.calls).toEqual([['a'.repeat(81)]]);
  expect((await show('a'.repeat(80))).button?.textContent).toBe('a'.repeat(80));
});

it('says where a visitor finds the chat, and has no button without an example', async () => {
  const { box, button } = await show('', true);
  expect([box.textContent, button]).toEqual([
    'Chat with HelperWrite a message. This browser tab keeps the chat until you close it.',
    null,
  ]);
});
