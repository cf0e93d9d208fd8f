import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { type, usePage } from '../testing/page.ts';
import { TextField } from './text-field.tsx';

const page = usePage();

async function show(more: object = {}) {
  const onText = vi.fn();
  const props = { label: 'Name', hint: 'As you like.', error: 'It is taken.', value: 'a', onText, ...more };
  const box = await page.show(createElement(TextField, props));
  return { box, onText, input: box.querySelector('input') as HTMLInputElement };
}

it('has a label, a hint and an error, and says each text', async () => {
  const { box, input, onText } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'label[for=#1] Name',
      'input#1[aria-invalid=true][aria-describedby=#1-hint #1-error][autoComplete=off][value=a]',
      'p#1-hint As you like.',
      'p#1-error[role=alert] It is taken.',
    ]);
  const label = box.querySelector('label') as Element;
  expect([label.textContent, label.getAttribute('for')]).toEqual(['Name', input.id]);
  expect([box.textContent, input.getAttribute('aria-invalid'), input.value]).toEqual([
    'NameAs you like.It is taken.',
    'true',
    'a',
  ]);
  await type(input, 'ab');
  expect(onText.mock.calls).toEqual([['ab']]);
});

it('lets browsers fill it only where that is asked for', async () => {
  const fills = async (more?: object) => (await show(more)).input.getAttribute('autoComplete');
  expect([await fills(), await fills({ autoComplete: 'username' })]).toEqual(['off', 'username']);
});
