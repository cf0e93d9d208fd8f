import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { outline } from '../testing/outline.ts';
import { fire, heldResponse, leavable, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FilePicker } from './file-picker.tsx';

const server = useFakeApi();
const uploads = useFakeUploads();
const page = usePage();
const entry = (path: string, type = 'file', size: number | null = 2048) => ({
  path,
  name: path.replace(/.*\//, ''),
  type,
  size,
  modifiedAt: null,
});

async function show(value: string, answer: unknown, truncated = false) {
  server.answer('GET /api/v1/files', Array.isArray(answer) ? { entries: answer, truncated } : answer);
  const [onPick, onClose] = [vi.fn(), vi.fn()];
  const client = testClient();
  const picker = leavable(createElement(FilePicker, { value, onPick, onClose }));
  await page.show(inClient(client)(picker.node));
  const dialog = document.body.querySelector('dialog') as HTMLDialogElement;
  await vi.waitFor(() => expect(dialog.textContent).not.toContain('Loading'));
  return {
    dialog,
    group: dialog.querySelector('[role=group]') as HTMLElement,
    onPick,
    onClose,
    close: picker.leave,
    client,
  };
}
const rows = (dialog: Element) => [...dialog.querySelectorAll('li')].map(({ textContent }) => textContent);

it('lists the folder of the picked file, folders first, and picks another one', async () => {
  const { dialog, group, onPick, onClose } = await show('d/b.txt', [
    entry('d/b.txt'),
    entry('d/sub', 'dir', null),
    entry('d/a.txt', 'file', null),
  ]);
  await expect
    .poll(() => outline(dialog))
    .toEqual([
      'h2#1 Choose a file',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'div[aria-label=Files in d][tabindex=-1][role=group]',
      'p[role=status]',
      'bdi d',
      'button[type=button]',
      'span Up',
      'icon corner-left-up 16',
      'button[type=button]',
      'icon folder 18',
      'bdi sub',
      'icon chevron-right 16',
      'button[type=button]',
      'icon file-text 18',
      'bdi a.txt',
      'button[aria-current=true][type=button]',
      'icon file-text 18',
      'bdi b.txt',
      'span 2.0 KB',
      'p[role=alert]',
      'input[type=file][aria-hidden=true][hidden]',
      'button[type=button]',
      'span Upload a file here',
      'icon upload 16',
      'button[type=button]',
      'span Cancel',
    ]);
  expect(server.requests).toEqual(['GET /api/v1/files?path=d']);
  expect([dialog.querySelector('h2')?.textContent, group.getAttribute('aria-label'), rows(dialog)]).toEqual([
    'Choose a file',
    'Files in d',
    ['sub', 'a.txt', 'b.txt2.0 KB'],
  ]);
  expect([...dialog.querySelectorAll('[aria-current]')].map(({ textContent }) => textContent)).toEqual(['b.txt2.0 KB']);
  await fire(named(dialog, 'a.txt'), 'click');
  expect([onPick.mock.calls, onClose.mock.calls]).toEqual([[['d/a.txt']], []]);
  await fire(named(dialog, 'Cancel'), 'click');
  expect(onClose).toHaveBeenCalledOnce();
});

it('opens a folder and goes up, and keeps the focus in the list', async () => {
  const { dialog, group, onPick } = await show('', [entry('sub', 'dir', null)]);
  expect([group.getAttribute('aria-label'), dialog.querySelector('p[role=status]')?.textContent]).toEqual([
    'Files in Files',
    'Files',
  ]);
  const focus = vi.fn();
  Object.assign(group, { focus });
  server.answer('GET /api/v1/files?path=sub', { entries: [], truncated: false });
  await fire(named(dialog, 'sub'), 'click');
  await vi.waitFor(() => expect(rows(dialog)).toEqual(['This folder is empty.']));
  expect([focus.mock.calls, group.getAttribute('aria-label'), onPick.mock.calls]).toEqual([
    [[{ preventScroll: true }]],
    'Files in sub',
    [],
  ]);
  await fire(named(dialog, 'Up'), 'click');
  await vi.waitFor(() => expect(rows(dialog)).toEqual(['sub']));
  expect(dialog.textContent).not.toContain('Up ');
});

it('says that more files exist, that it loads, and why it cannot be shown', async () => {
  expect(rows((await show('', [entry('a')], true)).dialog).at(-1)).toBe(
    'More files exist. Type the path into the field.',
  );
});

it('says why a folder cannot be listed', async () => {
  const { dialog } = await show('', refusal(403, 'forbidden', 'Not allowed.'));
  await vi.waitFor(() => expect(dialog.querySelector('[role=alert]')?.textContent).toBe('Not allowed.'));
  expect(dialog.querySelector('ul')).toBeNull();
});

it('keeps the list while it cannot be loaded again', async () => {
  const { dialog, client } = await show('', [entry('a')]);
  server.answer('GET /api/v1/files', refusal(500, 'broken', 'It broke.'));
  await act(() => client.refetchQueries().then(settle));
  expect(server.requests).toHaveLength(2);
  expect(rows(dialog)).toEqual(['a2.0 KB']);
});

it('says that it loads', async () => {
  server.answer('GET /api/v1/files', () => new Promise(() => undefined));
  await page.show(inClient(testClient())(createElement(FilePicker, { value: '', onPick: vi.fn(), onClose: vi.fn() })));
  expect(document.body.textContent).toContain('Loading the folder');
});

async function uploadTo(dialog: Element) {
  const input = dialog.querySelector('input[type=file]') as HTMLInputElement;
  const click = vi.fn();
  Object.assign(input, { click });
  await fire(named(dialog, 'Upload a file here'), 'click');
  expect(click).toHaveBeenCalledOnce();
  Object.defineProperty(input, 'files', { value: [new File(['x'], 'new.txt')] });
  await fire(input, 'change');
}

it('uploads a file to the folder, and picks it', async () => {
  const { dialog, onPick } = await show('d/a.txt', [entry('d/a.txt')]);
  await uploadTo(dialog);
  expect(uploads.at(-1)?.url).toMatch(/path=d%2Fnew\.txt&overwrite=0&permanent=0/);
  expect(dialog.querySelector('[aria-busy=true]')?.textContent).toContain('Upload a file here');
  uploads.at(-1)?.end(200, '{}');
  await vi.waitFor(() => expect(onPick.mock.calls).toEqual([['d/new.txt']]));
  expect(server.requests.length).toBe(2);
});

it('says why a file was not uploaded', async () => {
  const { dialog, onPick } = await show('', [entry('a')]);
  await uploadTo(dialog);
  uploads.at(-1)?.end(409, JSON.stringify({ error: { code: 'exists', message: 'It exists.' } }));
  await vi.waitFor(() => expect(dialog.textContent).toContain('new.txt was not uploaded. It exists.'));
  expect([onPick.mock.calls, named(dialog, 'Upload a file here').getAttribute('aria-busy')]).toEqual([[], null]);
});

it('ends the upload with the dialog', async () => {
  const { dialog, close } = await show('', [entry('a')]);
  await uploadTo(dialog);
  const abort = vi.fn();
  Object.assign(uploads.at(-1) as object, { abort });
  await close();
  expect(abort).toHaveBeenCalledOnce();
});

it('does not pick a file whose upload ends as the dialog closes', async () => {
  const { dialog, onPick, close } = await show('', [entry('a')]);
  await uploadTo(dialog);
  const folder = heldResponse();
  server.answer('GET /api/v1/files', () => folder.response);
  uploads.at(-1)?.end(200, '{}');
  await vi.waitFor(() => expect(server.requests.length).toBe(2));
  await close();
  await folder.respond();
  expect(onPick).not.toHaveBeenCalled();
});
