import { createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { OverlayStates } from './kit-overlays.tsx';

const page = usePage();
beforeEach(dismissToasts);

it('opens and closes a dialog and a question', async () => {
  const box = await page.show(createElement(OverlayStates));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'h3 dialog',
      'button[type=button]',
      'span Open a dialog',
      'button[type=button]',
      'span Ask before it is lost',
      'h3 menu',
      'buttonradix-#1[data-state=closed][aria-expanded=false][aria-haspopup=menu][type=button]',
      'span Open a menu',
      'h3 toast',
      'p Saved.',
      'button[title=Dismiss][aria-label=Dismiss][type=button]',
      'icon x 16',
      'p Deleted “notes.md”.',
      'button[type=button]',
      'span Undo',
      'button[title=Dismiss][aria-label=Dismiss][type=button]',
      'icon x 16',
      'p There is no room left.',
      'button[title=Dismiss][aria-label=Dismiss][type=button]',
      'icon x 16',
      'button[type=button]',
      'span Show one',
    ]);
  const dialogs = () => [...document.querySelectorAll('dialog')].map((each) => each.textContent);
  expect(dialogs()).toEqual([]);
  await fire(named(box, 'Open a dialog'), 'click');
  expect(dialogs()).toEqual([expect.stringContaining('A questionWith a sentence that explains it.')]);
  await fire(named(document.body, 'Do it'), 'click');
  expect(dialogs()).toEqual([]);
  await fire(named(box, 'Ask before it is lost'), 'click');
  expect(dialogs()).toEqual([expect.stringContaining('Revoke “laptop”?It cannot be brought back.')]);
  await fire(named(document.body, 'Revoke'), 'click');
  expect(dialogs()).toEqual([]);
});

it('has a menu, and notes that stay', async () => {
  const box = await page.show(createElement(OverlayStates));
  for (const text of ['Saved.', 'Deleted “notes.md”.', 'There is no room left.'])
    expect(box.textContent).toContain(text);
  await fire(named(box, 'Open a menu'), 'keydown', { key: 'Enter' });
  expect([...document.querySelectorAll('[role=menuitem]')].map((each) => each.textContent.trim())).toEqual([
    'Rename',
    'Disabled',
    'Delete',
  ]);
});

it('shows a note at the edge of the page', async () => {
  const box = await page.show(createElement(OverlayStates));
  await fire(named(box, 'Show one'), 'click');
  expect((await page.show(createElement(Toaster))).textContent).toContain('Saved.');
});
