import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { EmptyCanvas } from './empty-canvas.tsx';

const page = usePage();

it('offers the assistant and the first component', async () => {
  const onAdd = vi.fn();
  const box = await page.show(createElement(EmptyCanvas, { isReadOnly: false, isLocked: false, onAdd }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'span[aria-hidden=true]',
      'icon workflow 22',
      'p This flow has no components yet',
      'p A chat begins with “Chat input” and ends with “Chat output”.',
      'button[type=button]',
      'span Describe it to the assistant',
      'icon bot-message-square 16',
      'button[type=button]',
      'span Add the first component',
      'icon plus 16',
    ]);
  expect(box.textContent).toBe(
    'This flow has no components yetA chat begins with “Chat input” and ends with “Chat output”. Describe it to the assistant' +
      ' Add the first component',
  );
  await fire(named(box, 'Add the first component'), 'click');
  expect(onAdd).toHaveBeenCalledOnce();
});

it.each([
  [false, 'Its owner can add components.'],
  [true, 'The assistant works on it.'],
])('offers nothing in a flow that is read-only, and says why (locked: %s)', async (isLocked, why) => {
  const box = await page.show(createElement(EmptyCanvas, { isReadOnly: true, isLocked, onAdd: () => undefined }));
  expect([box.textContent, box.querySelector('button')]).toEqual([`This flow has no components yet${why}`, null]);
});
