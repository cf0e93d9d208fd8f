import { createElement, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { useMessageField } from '../playground/use-message-field.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { VisitorField } from './visitor-field.tsx';

const page = usePage();

async function show(isBusy = false) {
  const [onSend, onStop] = [vi.fn(), vi.fn()];
  const Field = () => createElement(VisitorField, { isBusy, field: useMessageField(useState('')), onSend, onStop });
  const box = await page.show(createElement(Field));
  return { box, text: box.querySelector('textarea') as HTMLTextAreaElement, onSend, onStop };
}
const enter = (text: Element) => fire(text, 'keydown', { key: 'Enter', shiftKey: false, isComposing: false });

it('sends a message without spaces around it, and is empty then', async () => {
  const { box, text, onSend } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'textarea[placeholder=Write a message][maxLength=20000][rows=1][aria-label=Message]',
      'button[aria-disabled=true][type=button]',
      'span Send',
      'icon send-horizontal 15',
      'p Answers can be wrong. The owner of this flow can read what you write.',
    ]);
  expect(['aria-label', 'placeholder', 'maxLength'].map((name) => text.getAttribute(name))).toEqual([
    'Message',
    'Write a message',
    '20000',
  ]);
  expect(box.textContent).toContain('Answers can be wrong. The owner of this flow can read what you write.');
  expect(named(box, 'Send').getAttribute('aria-disabled')).toBe('true');
  await enter(text);
  await type(text, ' ');
  await enter(text);
  expect(onSend).not.toHaveBeenCalled();
  await type(text, ' hi ');
  expect(named(box, 'Send').getAttribute('aria-disabled')).not.toBe('true');
  await fire(named(box, 'Send'), 'click');
  expect([onSend.mock.calls, text.value]).toEqual([[['hi']], '']);
});

it('stops an answer, and sends nothing meanwhile', async () => {
  const { box, text, onSend, onStop } = await show(true);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'textarea[placeholder=Write a message][maxLength=20000][rows=1][aria-label=Message]',
      'button[type=button]',
      'span Stop',
      'icon square 14',
      'p Answers can be wrong. The owner of this flow can read what you write.',
    ]);
  await type(text, 'hi');
  await enter(text);
  await fire(named(box, 'Stop'), 'click');
  expect([onSend.mock.calls, onStop.mock.calls.length, box.textContent.includes('Send')]).toEqual([[], 1, false]);
});
