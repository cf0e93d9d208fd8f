import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { TextFileDialog } from './text-file-dialog.tsx';

const page = usePage();

async function open() {
  const onCreate = vi.fn(() => Promise.resolve());
  const onClose = vi.fn();
  const box = await page.show(inClient(testClient())(createElement(TextFileDialog, { onCreate, onClose })));
  const area = box.querySelector('textarea') as HTMLTextAreaElement;
  return { box, onCreate, onClose, area };
}

it('creates a file of the text and the name', async () => {
  const { box, onCreate, onClose, area } = await open();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 New text file',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'form[noValidate]',
      'label[for=#2] Name',
      'input#2[spellCheck=false][data-first=true][autoComplete=off][value=notes.md]',
      'p#2-error[role=alert]',
      'label[for=#3] Text',
      'textarea#3[rows=12]',
      'p#3-error[role=alert]',
      'button[type=submit]',
      'span Create file',
      'button[type=button]',
      'span Cancel',
    ]);
  await type(area, 'hello');
  await fire(box.querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(onCreate.mock.calls).toEqual([['notes.md', 'hello']]);
});

it('creates it by Ctrl+Enter, and by no other key', async () => {
  const { onCreate, area } = await open();
  await fire(area, 'keydown', { key: 'Enter', ctrlKey: false, metaKey: false });
  await fire(area, 'keydown', { key: 'a', ctrlKey: true, metaKey: false });
  expect(onCreate).not.toHaveBeenCalled();
  await fire(area, 'keydown', { key: 'Enter', ctrlKey: true, metaKey: false });
  await vi.waitFor(() => expect(onCreate).toHaveBeenCalledOnce());
});

it('creates it by Meta+Enter too', async () => {
  const { onCreate, area } = await open();
  await fire(area, 'keydown', { key: 'Enter', ctrlKey: false, metaKey: true });
  await vi.waitFor(() => expect(onCreate).toHaveBeenCalledOnce());
});

it('asks before it drops a text', async () => {
  const { box, onClose, area } = await open();
  await type(area, 'hello');
  await fire(box.querySelector('dialog') as Element, 'cancel');
  expect([onClose.mock.calls, (await fire(window, 'beforeunload')).defaultPrevented]).toEqual([[], true]);
  await fire(named(box, 'Discard changes'), 'click');
  expect(onClose).toHaveBeenCalledOnce();
});
