import { createElement, useState } from 'react';
import { expect, it } from 'vitest';
import { fire, named, type, usePage } from '../testing/page.ts';
import { useMessageField } from './use-message-field.ts';

const page = usePage();

async function open() {
  const sent: string[] = [];
  let focused = 0;
  const Field = () => {
    const field = useMessageField(useState(''));
    return createElement(
      'form',
      {},
      createElement('textarea', { ...field.props(() => sent.push(field.text)), readOnly: false }),
      createElement('button', { type: 'button', onClick: () => field.fill('suggested') }, 'Suggest'),
      createElement('p', {}, field.text),
    );
  };
  const box = await page.show(createElement(Field));
  const area = box.querySelector('textarea') as HTMLTextAreaElement;
  area.focus = () => void (focused += 1);
  const press = (key: string, more: object = {}) =>
    fire(area, 'keydown', { key, shiftKey: false, isComposing: false, ...more });
  return { box, area, sent, press, focused: () => focused, text: () => box.querySelector('p')?.textContent };
}

it('sends the text with Enter, and with no other key', async () => {
  const { area, sent, press } = await open();
  await type(area, 'hi');
  expect((await press('a')).defaultPrevented).toBe(false);
  expect((await press('Enter', { shiftKey: true })).defaultPrevented).toBe(false);
  expect((await press('Enter', { isComposing: true })).defaultPrevented).toBe(false);
  expect(sent).toEqual([]);
  expect((await press('Enter')).defaultPrevented).toBe(true);
  expect(sent).toEqual(['hi']);
});

it('takes a suggestion and the focus', async () => {
  const { box, focused, text } = await open();
  await fire(named(box, 'Suggest'), 'click');
  expect([text(), focused()]).toEqual(['suggested', 1]);
});
