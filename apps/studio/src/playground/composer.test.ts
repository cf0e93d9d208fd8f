import { createElement, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { Composer } from './composer.tsx';
import { useMessageField } from './use-message-field.ts';

const server = useFakeApi();
const uploads = useFakeUploads();
const page = usePage();

async function show(isBusy = false, isBeginning = false) {
  const [onSend, onStop] = [vi.fn(), vi.fn()];
  const Field = () =>
    createElement(Composer, {
      isBusy,
      isBeginning,
      field: useMessageField(useState('')),
      onSend,
      onStop,
      above: '[Inputs]',
    });
  const box = await page.show(inClient(testClient())(createElement(Field)));
  const text = box.querySelector('textarea') as HTMLTextAreaElement;
  const zone = text.parentElement as Element;
  const files = () => [...box.querySelectorAll('li')].map(({ textContent }) => textContent);
  const canSend = () => named(box, 'Send').getAttribute('aria-disabled') !== 'true';
  return { box, text, zone, files, canSend, onSend, onStop };
}
const enter = (text: Element) => fire(text, 'keydown', { key: 'Enter', shiftKey: false, isComposing: false });

it('sends a message, and is empty then', async () => {
  const { box, text, canSend, onSend } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div [Inputs]',
      'textarea[placeholder=Write a message][rows=1][aria-label=Message]',
      'button[type=button]',
      'span Attach a file',
      'icon paperclip 15',
      'button[aria-disabled=true][type=button]',
      'span Send',
      'icon send-horizontal 15',
      'p[role=alert]',
    ]);
  expect([
    text.getAttribute('aria-label'),
    text.getAttribute('placeholder'),
    box.textContent.startsWith('[Inputs]'),
  ]).toEqual(['Message', 'Write a message', true]);
  await enter(text);
  expect([onSend.mock.calls, canSend()]).toEqual([[], false]);
  await type(text, ' hi ');
  expect(canSend()).toBe(true);
  await enter(text);
  expect([onSend.mock.calls, text.value]).toEqual([[['hi']], '']);
});

it('stops a run, and sends nothing meanwhile', async () => {
  const { box, text, onSend, onStop } = await show(true);
  await type(text, 'hi');
  await enter(text);
  await fire(named(box, 'Stop'), 'click');
  expect([onSend.mock.calls, onStop.mock.calls.length]).toEqual([[], 1]);
});

it('uploads dropped files, and sends them once they are stored', async () => {
  const { box, zone, text, files, canSend, onSend } = await show();
  const drag = async (name: string, types = ['Files']) =>
    (await fire(zone, name, { dataTransfer: { types, files: [new File(['x'], 'a.txt')] } })).defaultPrevented;
  expect([await drag('dragover', ['text/plain']), await drag('drop', ['text/plain'])]).toEqual([false, false]);
  expect([await drag('dragover'), text.getAttribute('placeholder')]).toEqual([true, 'Drop to attach']);
  await fire(zone, 'dragleave');
  expect(text.getAttribute('placeholder')).toBe('Write a message');
  await drag('dragover');
  expect([await drag('drop'), text.getAttribute('placeholder'), files(), canSend()]).toEqual([
    true,
    'Write a message',
    ['a.txt'],
    false,
  ]);
  expect([box.querySelector('ul')?.getAttribute('aria-label'), box.querySelector('.animate-spin') !== null]).toEqual([
    'Files of the message',
    true,
  ]);
  await enter(text);
  expect(onSend).not.toHaveBeenCalled();
  uploads.at(-1)?.end(200, '{}');
  await vi.waitFor(() => expect(canSend()).toBe(true));
  expect(box.querySelector('[title="uploads/a.txt"]')).not.toBeNull();
  await fire(named(box, 'Send'), 'click');
  expect([onSend.mock.calls, files()]).toEqual([[['Attached files:\n- uploads/a.txt']], []]);
});

it('uploads pasted files, and leaves pasted texts to the browser', async () => {
  const { text, files } = await show();
  const paste = async (...pasted: File[]) =>
    (await fire(text, 'paste', { clipboardData: { files: pasted } })).defaultPrevented;
  expect([await paste(), files()]).toEqual([false, []]);
  expect([await paste(new File(['x'], 'b.png')), files()]).toEqual([true, ['b.png']]);
});

it('leaves out a file, and says why one was not uploaded', async () => {
  const { box, text, files } = await show();
  await fire(text, 'paste', { clipboardData: { files: [new File(['x'], 'a.txt'), new File(['x'], 'b.txt')] } });
  await fire(named(box, 'Leave out b.txt'), 'click');
  expect(files()).toEqual(['a.txt']);
  uploads[0]?.end(507, JSON.stringify({ error: { code: 'quota', message: 'No space.' } }));
  await vi.waitFor(() =>
    expect(box.querySelector('[role=alert]')?.textContent).toBe('a.txt was not uploaded. No space.'),
  );
});

it('attaches a file that was chosen, and takes the focus back', async () => {
  const { box, text, files } = await show();
  server.answer('GET /api/v1/files', {
    entries: [{ path: 'c.txt', name: 'c.txt', type: 'file', size: 1, modifiedAt: null }],
    truncated: false,
  });
  await fire(named(box, 'Attach a file'), 'click');
  await vi.waitFor(() => expect(document.body.querySelector('dialog')?.textContent).toContain('c.txt'));
  await fire(named(document.body, 'Cancel'), 'click');
  expect(document.body.querySelector('dialog')).toBeNull();
  await fire(named(box, 'Attach a file'), 'click');
  const focus = vi.fn();
  Object.assign(text, { focus });
  await fire(document.body.querySelector('dialog li button') as Element, 'click');
  expect([files(), document.body.querySelector('dialog'), focus.mock.calls.length]).toEqual([['c.txt'], null, 1]);
});

it('is busy while the run begins, which cannot be stopped yet', async () => {
  const { box, text, onSend } = await show(true, true);
  await type(text, 'hi');
  await enter(text);
  const buttons = [...box.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
  expect([buttons, onSend.mock.calls]).toEqual([['Attach a file', 'Send Working'], []]);
});
