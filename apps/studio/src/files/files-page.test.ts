import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { outline } from '../testing/outline.ts';
import { choose, fire, named, type, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { FilesPage } from './files-page.tsx';
// Loaded before a test waits for them.
import './edit-text-dialog.tsx';
import './preview-pane.tsx';
import './row-menu.tsx';
import './text-file-dialog.tsx';

const server = useFakeApi();
const uploads = useFakeUploads();
const page = usePage();
beforeEach(() => {
  dismissToasts();
  vi.stubGlobal('matchMedia', () => new EventTarget());
});
const entry = (path: string, kind = 'file') => ({
  path,
  name: path.replace(/.*\//, ''),
  type: kind,
  size: 1,
  modifiedAt: null,
});

interface Setup {
  at?: string;
  entries?: readonly object[];
  mounts?: readonly object[];
  autoLogin?: boolean;
}
async function show({ at = '/files', entries = [entry('a.txt')], mounts = [], autoLogin = true }: Setup = {}) {
  server.answer('GET /api/v1/files', { entries, mounts, total: entries.length, nextCursor: null });
  server.answer('GET /api/v1/files/usage', { usedBytes: 0, limitBytes: null });
  server.answer('GET /api/v1/files/content', () => new Response('text', { headers: { 'Content-Type': 'text/plain' } }));
  await act(async () => navigate(at));
  const me = { autoLogin, user: { id: 'u' } } as unknown as Parameters<typeof FilesPage>[0]['me'];
  const box = await page.show(inClient(testClient())(createElement(FilesPage, { me })));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  const dialog = () => box.querySelector('dialog') as HTMLDialogElement;
  return { box, dialog, toasts: async () => (await page.show(createElement(Toaster))).textContent };
}
const press = (box: Element, key: string) =>
  fire(box.querySelector('tbody') as Element, 'keydown', { key, ctrlKey: false, metaKey: false, altKey: false });

it('lists the files, says whose they are, and leads to changes', async () => {
  const { box } = await show();
  await expect
    .poll(() => outline(box, 'table'))
    .toEqual([
      'h1[tabindex=-1] Files',
      'p Your agents work in these files, over MCP and REST.',
      'a[href=/base/settings/activity] Changes and undo',
      'button[title=New folder][type=button]',
      'icon folder-plus 17',
      'span New folder',
      'button[title=New file][type=button]',
      'icon file-plus 17',
      'span New file',
      'button[title=Upload folder][type=button]',
      'icon folder-up 17',
      'span Upload folder',
      'button[type=button]',
      'span Upload',
      'icon upload 17',
      'input[type=file][aria-hidden=true][hidden]',
      'icon search 16',
      'input[type=search][spellCheck=false][autoComplete=off][placeholder=Search][aria-label=Search files]',
      'kbd /',
      'section[aria-label=Files]',
      'table[aria-rowcount=2][aria-multiselectable=true][aria-label=Files in Files][role=grid]',
      'p 0 B used',
    ]);
  expect(named(box, 'a.txt').getAttribute('href')).toBe('/base/files?file=a.txt');
  expect([box.querySelector('h1')?.textContent, box.querySelector('section[aria-label=Files]') !== null]).toEqual([
    'Files',
    true,
  ]);
  expect(box.textContent).toContain('Your agents work in these files, over MCP and REST. Changes and undo');
  expect(named(box, 'Changes and undo').getAttribute('href')).toBe('/base/settings/activity');
  expect((await show({ autoLogin: false })).box.textContent).toContain('Only you and your agents see these files.');
});

it('makes a folder in the shown one', async () => {
  const { box, dialog } = await show({ at: '/files?dir=d', entries: [entry('d/a.txt')] });
  await fire(named(box, 'New folder'), 'click');
  expect(dialog().querySelector('h2')?.textContent).toBe('New folder');
  await type(dialog().querySelector('input') as Element, 'sub');
  server.answer('POST /api/v1/files/mkdir', {});
  await fire(dialog().querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(server.requests).toContain('POST /api/v1/files/mkdir {"path":"d/sub"}'));
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
});

it('renames an entry, and follows the one in the preview', async () => {
  const { box, dialog } = await show({ at: '/files?file=a.txt' });
  await press(box, 'F2');
  expect([dialog().querySelector('h2')?.textContent, dialog().querySelector('input')?.value]).toEqual([
    'Rename “a.txt”',
    'a.txt',
  ]);
  await type(dialog().querySelector('input') as Element, 'b.txt');
  server.answer('POST /api/v1/files/move', {});
  await fire(dialog().querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(server.requests).toContain('POST /api/v1/files/move {"from":"a.txt","to":"b.txt"}'));
  await vi.waitFor(() => expect(location.search).toBe('?file=b.txt'));
});

it('deletes an entry, and closes its preview', async () => {
  const { box } = await show({ at: '/files?file=a.txt' });
  server.answer('POST /api/v1/files/delete', { undo: 'u1' });
  await press(box, 'Delete');
  await vi.waitFor(() =>
    expect(server.requests).toContain('POST /api/v1/files/delete {"paths":["a.txt"],"permanent":false}'),
  );
  expect(location.search).toBe('');
});

it('asks before it deletes what cannot be restored', async () => {
  const { box, dialog } = await show();
  server.answer('POST /api/v1/files/delete', refusal(409, 'not_undoable', 'It is too large for the trash.'));
  await press(box, 'Delete');
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('Delete for good?'));
  expect(dialog().textContent).toContain('It is too large for the trash. Deleting for good cannot be undone.');
  server.answer('POST /api/v1/files/delete', {});
  await fire(named(dialog(), 'Delete for good'), 'click');
  await vi.waitFor(() =>
    expect(server.requests).toContain('POST /api/v1/files/delete {"paths":["a.txt"],"permanent":true}'),
  );
  expect(box.querySelector('dialog')).toBeNull();
});

it('uploads files that were picked, also the same ones again', async () => {
  const { box } = await show({ at: '/files?dir=d', entries: [entry('d/a.txt')] });
  const input = box.querySelector('input[type=file]') as HTMLInputElement;
  const click = vi.fn();
  Object.assign(input, { click });
  await fire(named(box, 'Upload'), 'click');
  expect([click.mock.calls.length, input.multiple]).toEqual([1, true]);
  Object.defineProperty(input, 'files', { value: [new File(['x'], 'new.txt')] });
  await choose(input, 'new.txt');
  await vi.waitFor(() => expect(uploads[0]?.url).toContain('path=d%2Fnew.txt'));
  expect(input.value).toBe('');
});

it('makes a text file, and shows it', async () => {
  const { box, dialog } = await show();
  await fire(named(box, 'New file'), 'click');
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('New'));
  await fire(named(dialog(), 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
});

it('adds nothing to files that are read-only', async () => {
  const { box } = await show({
    at: '/files?dir=shared',
    entries: [entry('shared/a.txt')],
    mounts: [{ name: 'shared', readOnly: true }],
  });
  expect([...box.querySelectorAll('button')].map(({ textContent }) => textContent.trim())).not.toContain('Upload');
  expect(server.requests).toContain('GET /api/v1/files/usage?path=shared');
});

it('searches in names, and elsewhere where none has the text', async () => {
  server.answer('GET /api/v1/files/search', { matches: [], truncated: false });
  const { box } = await show({ at: '/files?q=x' });
  await vi.waitFor(() => expect(box.textContent).toContain('No name contains “x”.'));
  await fire(named(box, 'Search in contents'), 'click');
  expect(location.search).toBe('?q=x&in=content');
});

it('shows a file beside its folder, and closes it', async () => {
  const { box } = await show({ at: '/files?file=a.txt&line=1' });
  await vi.waitFor(() => expect(box.querySelector('[aria-label="Preview of a.txt"]')).not.toBeNull());
  await fire(named(box, 'Close the preview'), 'click');
  expect(location.search).toBe('');
});
