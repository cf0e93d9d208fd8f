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
import { Uploads } from './uploads.tsx';
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
  const box = await page.show(
    inClient(testClient())(createElement(Uploads, { children: createElement(FilesPage, { me }) })),
  );
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  const dialog = () => box.querySelector('dialog') as HTMLDialogElement;
  const toaster = await page.show(createElement(Toaster));
  return { box, dialog, toaster };
}
const files = (...names: string[]) => ({ value: names.map((name) => new File(['x'], name)) });
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

it.each([
  ['follows the one in the preview', 'a.txt', '?file=b.txt'],
  ['stays at another one', 'c.txt', '?file=c.txt'],
])('renames an entry, and %s', async (_what, file, search) => {
  const { box, dialog } = await show({ at: `/files?file=${file}`, entries: [entry('a.txt'), entry('c.txt')] });
  await press(box, 'F2');
  expect([dialog().querySelector('h2')?.textContent, dialog().querySelector('input')?.value]).toEqual([
    'Rename “a.txt”',
    'a.txt',
  ]);
  await type(dialog().querySelector('input') as Element, 'b.txt');
  server.answer('POST /api/v1/files/move', {});
  await fire(dialog().querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(server.requests).toContain('POST /api/v1/files/move {"from":"a.txt","to":"b.txt"}'));
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
  expect(location.search).toBe(search);
});

it.each([
  ['its preview', 'a.txt', ''],
  ['no other preview', 'c.txt', '?file=c.txt'],
])('deletes an entry, and closes %s', async (_what, file, search) => {
  const { box } = await show({ at: `/files?file=${file}`, entries: [entry('a.txt'), entry('c.txt')] });
  server.answer('POST /api/v1/files/delete', { undo: 'u1' });
  await press(box, 'Delete');
  await vi.waitFor(() =>
    expect(server.requests).toContain('POST /api/v1/files/delete {"paths":["a.txt"],"permanent":false}'),
  );
  expect(location.search).toBe(search);
});

it('asks before it deletes what cannot be restored', async () => {
  const { box, dialog } = await show();
  server.answer('POST /api/v1/files/delete', refusal(409, 'not_undoable', 'It is too large for the trash.'));
  await press(box, 'Delete');
  await vi.waitFor(() => expect(dialog()).not.toBeNull());
  expect(dialog().textContent).toBe(
    'Delete for good?It is too large for the trash. Deleting for good cannot be undone.Delete for goodCancel',
  );
  await fire(named(dialog(), 'Cancel'), 'click');
  expect([dialog(), server.requests.filter((each) => each.includes('delete')).length]).toEqual([null, 1]);
  await press(box, 'Delete');
  await vi.waitFor(() => expect(dialog()).not.toBeNull());
  server.answer('POST /api/v1/files/delete', {});
  await fire(named(dialog(), 'Delete for good'), 'click');
  await vi.waitFor(() =>
    expect(server.requests).toContain('POST /api/v1/files/delete {"paths":["a.txt"],"permanent":true}'),
  );
  expect(box.querySelector('dialog')).toBeNull();
});

it('uploads files that were picked, also the same ones again, and offers to restore the replaced ones', async () => {
  const { box, dialog, toaster } = await show({ at: '/files?dir=d', entries: [entry('d/a.txt')] });
  const input = box.querySelector('input[type=file]') as HTMLInputElement;
  const click = vi.fn();
  Object.assign(input, { click });
  await fire(named(box, 'Upload'), 'click');
  expect([click.mock.calls.length, input.multiple]).toEqual([1, true]);
  server.answer('POST /api/v1/files/undo', {});
  const replace = async (...names: string[]) => {
    const first = uploads.length;
    // The question of the round before stays a moment after its answer.
    await vi.waitFor(() => expect(dialog()).toBeFalsy());
    Object.defineProperty(input, 'files', { configurable: true, ...files(...names) });
    await choose(input, 'new.txt');
    await vi.waitFor(() => expect(uploads).toHaveLength(first + names.length));
    expect(input.value).toBe('');
    for (const each of uploads.slice(first)) each.end(409, '{"error":{"code":"exists","message":"It exists."}}');
    for (const name of names) {
      await vi.waitFor(() => expect(dialog()?.textContent).toContain(name));
      await fire(named(dialog(), 'Replace'), 'click');
    }
    await vi.waitFor(() => expect(uploads).toHaveLength(first + 2 * names.length));
    for (const [at, each] of uploads.slice(first + names.length).entries()) each.end(200, `{"undo":"u${at}"}`);
    await vi.waitFor(() => expect(toaster.textContent).toContain('Undo'));
    const text = toaster.textContent;
    await fire(named(toaster, 'Undo'), 'click');
    await vi.waitFor(() => expect(toaster.textContent).toContain('restored'));
    const texts = [text, toaster.textContent];
    act(dismissToasts);
    return texts;
  };
  expect(await replace('a.txt')).toEqual(['Replaced “a.txt”.Undo', 'The old file was restored.']);
  expect(await replace('a.txt', 'b.txt')).toEqual(['Replaced 2 files.Undo', 'The old files were restored.']);
  expect(new URL(uploads[0]?.url ?? '').searchParams.get('path')).toBe('d/a.txt');
  expect(server.requests.filter((each) => each.includes('undo')).map((each) => each.slice(-13))).toEqual([
    '{"undo":"u0"}',
    '{"undo":"u1"}',
    '{"undo":"u0"}',
  ]);
});

it('uploads a folder that was picked, and files that are dropped', async () => {
  const { box } = await show({ at: '/files?dir=d', entries: [entry('d/a.txt')] });
  const made = vi.spyOn(document, 'createElement');
  await fire(named(box, 'Upload folder'), 'click');
  const input = made.mock.results
    .map(({ value }) => value as HTMLInputElement)
    .findLast(({ type: kind }) => kind === 'file');
  Object.defineProperty(input, 'files', files('one.txt'));
  await fire(input as Element, 'change');
  await vi.waitFor(() => expect(uploads[0]?.url).toContain('path=d%2Fone.txt'));
  const zone = box.querySelector('section[aria-label=Files]') as Element;
  const dataTransfer = { types: ['Files'], items: [{ kind: 'file', getAsFile: () => new File(['x'], 'two.txt') }] };
  await fire(zone, 'dragenter', { dataTransfer });
  expect(zone.parentElement?.textContent).toContain('Drop to upload to d');
  await fire(zone, 'drop', { dataTransfer });
  await vi.waitFor(() => expect(uploads[1]?.url).toContain('path=d%2Ftwo.txt'));
});

it('makes a text file in the shown folder, and shows it', async () => {
  const { box, dialog } = await show({ at: '/files?dir=d', entries: [entry('d/a.txt')] });
  await fire(named(box, 'New file'), 'click');
  await vi.waitFor(() => expect(dialog()?.querySelector('h2')?.textContent).toBe('New text file'));
  await fire(named(dialog(), 'Cancel'), 'click');
  expect(box.querySelector('dialog')).toBeNull();
  await fire(named(box, 'New file'), 'click');
  await vi.waitFor(() => expect(dialog()?.querySelector('h2')?.textContent).toBe('New text file'));
  await fire(dialog().querySelector('form') as Element, 'submit');
  await vi.waitFor(() => expect(uploads[0]?.url).toContain('path=d%2Fnotes.md'));
  uploads[0]?.end(201, '{}');
  await vi.waitFor(() => expect(location.search).toBe('?dir=d&file=d%2Fnotes.md'));
  await vi.waitFor(() => expect(box.querySelector('dialog')).toBeNull());
});

it('edits the text of an entry, and offers to take that back', async () => {
  const { box, dialog, toaster } = await show({ at: '/files?file=a.txt' });
  await vi.waitFor(() => expect(box.querySelector('[aria-label="Preview of a.txt"]')).not.toBeNull());
  await fire(named(box, 'Edit a.txt'), 'click');
  await vi.waitFor(() => expect(dialog()?.querySelector('input')?.value).toBe('text'));
  expect(dialog().querySelector('h2')?.textContent).toBe('Edit “a.txt”');
  await type(dialog().querySelector('input') as Element, 'new');
  await fire(named(dialog(), 'Save'), 'click');
  await vi.waitFor(() => expect(uploads[0]?.url).toContain('path=a.txt'));
  uploads[0]?.end(200, '{"undo":"u1"}');
  await vi.waitFor(() => expect(toaster.textContent).toBe('Saved “a.txt”.Undo'));
  expect(box.querySelector('dialog')).toBeNull();
});

it('adds nothing to files that are read-only', async () => {
  const { box } = await show({
    at: '/files?dir=shared',
    entries: [entry('shared/a.txt')],
    mounts: [{ name: 'shared', readOnly: true }],
  });
  const dataTransfer = { types: ['Files'], items: [] };
  const dragged = await fire(box.querySelector('section[aria-label=Files]') as Element, 'dragenter', { dataTransfer });
  expect([dragged.defaultPrevented, box.querySelector('[title="New folder"]')]).toEqual([false, null]);
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

it('offers to upload into an empty folder, and into none that is read-only', async () => {
  const empty = await show({ entries: [] });
  const click = vi.fn();
  Object.assign(empty.box.querySelector('input[type=file]') as Element, { click });
  await fire(named(empty.box, 'Upload files'), 'click');
  expect(click).toHaveBeenCalledOnce();
  expect(empty.box.textContent).toContain('Nothing here yetDrop files here, or let an agent write some. Upload files');
  const mounts = [{ name: 'shared', readOnly: true }];
  const readOnly = await show({ at: '/files?dir=shared&file=shared/a.txt', entries: [], mounts });
  expect(readOnly.box.querySelector('section[aria-label=Files]')?.textContent).toBe('This folder is empty');
});

it('has one entry in the history for a search, also while the user changes its text', async () => {
  const { box } = await show();
  server.answer('GET /api/v1/files/search', { matches: [], truncated: false });
  const [push, replace] = [vi.spyOn(history, 'pushState'), vi.spyOn(history, 'replaceState')];
  const input = box.querySelector('[type=search]') as Element;
  for (const text of ['a', 'a b']) {
    await type(input, text);
    await vi.waitFor(() => expect(new URLSearchParams(location.search).get('q')).toBe(text));
  }
  expect([push, replace].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  await fire(named(box, 'Clear the search'), 'click');
  expect([push, replace].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
});
