import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { buttonClass } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

const page = usePage();

it('asks, with the focus on Cancel, and does either', async () => {
  const calls: string[] = [];
  const box = await page.show(
    createElement(ConfirmDialog, {
      title: 'Delete it?',
      about: 'It is gone then.',
      action: 'Delete',
      busy: false,
      onConfirm: () => calls.push('confirm'),
      onClose: () => calls.push('close'),
    }),
  );
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 Delete it?',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about It is gone then.',
      'button[type=button]',
      'span Delete',
      'button[data-first=true][type=button]',
      'span Cancel',
    ]);
  expect(box.textContent).toContain('Delete it?');
  expect(box.textContent).toContain('It is gone then.');
  expect(box.querySelector('[data-first]')?.textContent).toBe('Cancel');
  expect(named(box, 'Delete').className).toBe(buttonClass('danger'));
  for (const name of ['Delete', 'Cancel', 'Close']) await fire(named(box, name), 'click');
  expect(calls).toEqual(['confirm', 'close', 'close']);
});

it('confirms nothing a second time while it is busy', async () => {
  const calls: string[] = [];
  const props = { title: 'T', about: 'A', action: 'Go', busy: true, onClose: () => undefined };
  const box = await page.show(createElement(ConfirmDialog, { ...props, onConfirm: () => calls.push('confirm') }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 T',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about A',
      'button[aria-busy=true][aria-disabled=true][type=button]',
      'span[aria-hidden=true]',
      'span Go',
      'span Working',
      'button[data-first=true][type=button]',
      'span Cancel',
    ]);
  const button = [...box.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Go')) as Element;
  await fire(button, 'click');
  expect(calls).toEqual([]);
});

it('shows more above its buttons, and is wide where asked for', async () => {
  const ask = { title: 'Undo it?', about: 'See below.', action: 'Undo', busy: false, onConfirm() {}, onClose() {} };
  const box = await page.show(createElement(ConfirmDialog, { ...ask, wide: true }, createElement('pre', {}, 'lines')));
  expect(box.querySelector('pre')?.parentElement?.textContent).toBe('linesUndoCancel');
  expect(box.querySelector('dialog')?.className).toContain('max-w-2xl');
});
