import { createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { OverlayStates } from './kit-overlays.tsx';

const page = usePage();
beforeEach(dismissToasts);

it('opens and closes a dialog and a question', async () => {
  const box = await page.show(createElement(OverlayStates));
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
