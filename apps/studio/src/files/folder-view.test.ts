import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { check, fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FolderView } from './folder-view.tsx';

const server = useFakeApi();
const page = usePage();
const entry = (name: string, type = 'file') => ({ name, path: name, type, size: 1, modifiedAt: null });
const listing = (entries: readonly object[], mounts: readonly object[] = []) => ({
  entries,
  mounts,
  total: entries.length,
  nextCursor: null,
});

async function show(answer: unknown, { dir = '', file = undefined as string | undefined, canUpload = true } = {}) {
  server.answer('GET /api/v1/files', answer);
  const calls: unknown[] = [];
  const on = (name: string) => (value?: unknown) =>
    void calls.push([
      name,
      Array.isArray(value) ? value.map(({ name: each }) => each) : (value as { name?: string })?.name,
    ]);
  const props = {
    place: { dir, file },
    onUpload: canUpload ? on('upload') : undefined,
    onRename: on('rename'),
    onEdit: on('edit'),
    onDelete: on('delete'),
    onDownload: on('download'),
  };
  const box = await page.show(inClient(testClient())(createElement(FolderView, props)));
  await vi.waitFor(() => expect(box.textContent).not.toContain('Loading'));
  const press = (key: string, event: object = {}) =>
    fire(box.querySelector('tbody') as Element, 'keydown', {
      key,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      ...event,
    });
  return { box, calls, press };
}

it('lists a folder, and opens folders and files of it', async () => {
  const { box, press } = await show(listing([entry('sub', 'dir'), entry('a.txt')]));
  await expect
    .poll(() => outline(box, 'tr'))
    .toEqual([
      'table[aria-rowcount=3][aria-multiselectable=true][aria-label=Files in Files][role=grid]',
      'tr[aria-selected=false][data-focus-home=true][aria-rowindex=2][tabindex=0]',
      'tr[aria-selected=false][aria-rowindex=3][tabindex=-1]',
    ]);
  expect([named(box, 'sub').getAttribute('href'), named(box, 'a.txt').getAttribute('href')]).toEqual([
    '/base/files?dir=sub',
    '/base/files?file=a.txt',
  ]);
  await press('Enter');
  expect(location.search).toBe('?dir=sub');
});

it('goes up, but not from the top', async () => {
  const { press } = await show(listing([entry('x/y/a')]), { dir: 'x/y' });
  await press('Backspace');
  expect(location.pathname + location.search).toBe('/base/files?dir=x');
  await act(async () => navigate('/here'));
  await (await show(listing([entry('a')]))).press('Backspace');
  expect(location.pathname).toBe('/base/here');
});

it('names a folder by its path, and marks the file in the preview', async () => {
  const { box } = await show(listing([entry('x/a'), entry('x/b')]), { dir: 'x', file: 'x/b' });
  await expect
    .poll(() => [...box.querySelectorAll('tbody a')].map((link) => [link.textContent, link.getAttribute('href')]))
    .toEqual([
      ['x/a', '/base/files?dir=x&file=x%2Fa'],
      ['x/b', '/base/files?dir=x&file=x%2Fb'],
    ]);
  expect(box.querySelector('table')?.getAttribute('aria-label')).toBe('Files in x');
  expect([...box.querySelectorAll('tbody tr')].map((row) => row.className.includes('bg-selected'))).toEqual([
    false,
    true,
  ]);
});

it('sorts by a press on a column', async () => {
  const { box } = await show(listing([entry('a'), entry('b')]));
  await fire(named(box, 'Name'), 'click');
  expect([...box.querySelectorAll('tbody a')].map(({ textContent }) => textContent)).toEqual(['b', 'a']);
});

it('acts on the selected entries, and clears the selection', async () => {
  const { box, calls } = await show(listing([entry('a'), entry('b')]));
  await check(named(box, 'Select b'));
  await fire(named(box, 'Delete'), 'click');
  expect(calls).toEqual([['delete', ['b']]]);
  await fire(named(box, 'Clear the selection'), 'click');
  expect((named(box, 'Select b') as HTMLInputElement).checked).toBe(false);
});

it.each(['Delete', 'Clear the selection'])(
  'moves the focus to the active row before %s removes the selection',
  async (name) => {
    const { box } = await show(listing([entry('a'), entry('b')]));
    await check(named(box, 'Select b'));
    const focus = vi.fn(() => box.querySelector('[role=toolbar]') !== null);
    Object.assign(box.querySelector('[data-focus-home]') as object, { focus });
    await fire(named(box, name), 'click');
    expect(focus.mock.results.map(({ value }) => value as boolean)).toEqual([true]);
  },
);

it('neither renames nor deletes mounts and what is in read-only ones', async () => {
  const mounts = [{ name: 'mine', readOnly: false }];
  const { box, calls, press } = await show(listing([entry('mine', 'dir'), entry('z')], mounts));
  expect(box.querySelector('tbody tr')?.textContent).toBe('mineYour own');
  await press('F2');
  await press('Delete');
  expect(calls).toEqual([]);
  await press('a', { ctrlKey: true });
  await press('Delete');
  await press('ArrowDown');
  await press('F2');
  expect(calls).toEqual([
    ['delete', ['z']],
    ['rename', 'z'],
  ]);
});

it('has the entries of a read-only mount fixed, without a note', async () => {
  const { box, calls, press } = await show(listing([entry('shared/a')], [{ name: 'shared', readOnly: true }]), {
    dir: 'shared',
  });
  await press('F2');
  expect([calls, box.querySelector('tbody tr')?.textContent]).toEqual([[], 'shared/a1 B1 B']);
});

it.each([
  ['', 'Nothing here yet'],
  ['x', 'This folder is empty'],
])('says at "%s": %s', async (dir, title) => {
  const { box, calls } = await show(listing([]), { dir });
  expect(box.textContent).toBe(`${title}Drop files here, or let an agent write some. Upload files`);
  await fire(named(box, 'Upload files'), 'click');
  expect(calls.map((call) => (call as string[])[0])).toEqual(['upload']);
  expect((await show(listing([]), { dir, canUpload: false })).box.textContent).toBe(title);
});

it('says that it loads', async () => {
  server.answer('GET /api/v1/files', () => new Promise(() => undefined));
  const props = { place: { dir: '' }, onUpload: undefined } as unknown as Parameters<typeof FolderView>[0];
  const box = await page.show(inClient(testClient())(createElement(FolderView, props)));
  expect([box.textContent, box.querySelectorAll('[aria-hidden]').length]).toEqual(['Loading the folder', 18]);
});

it('says that more entries cannot be loaded, and asks again only after a click', async () => {
  const more = 'GET /api/v1/files?path=&sort=name&order=asc&cursor=c';
  server.answer(more, refusal(404, 'not_found', 'It was deleted.'));
  const { box } = await show({ ...listing([entry('a')]), total: 2, nextCursor: 'c' });
  const asked = () => server.requests.filter((each) => each === more).length;
  await expect
    .poll(() => box.querySelector('[role=alert]')?.textContent)
    .toBe('The other entries of the folder are not loaded. It was deleted.Try again');
  for (let turn = 0; turn < 5; turn++) await act(settle);
  expect(asked()).toBe(1);
  server.answer(more, { ...listing([entry('b')]), total: 2 });
  await fire(named(box, 'Try again'), 'click');
  await expect.poll(() => [asked(), box.querySelector('[role=alert]')]).toEqual([2, null]);
  await expect.poll(() => box.textContent).toContain('b');
});

it('says that a folder is gone, and leads to the others', async () => {
  const { box } = await show(refusal(404, 'not_found', 'No such folder.'), { dir: 'x' });
  expect(box.textContent).toBe('Folder not foundNo such folder.Go to all files');
  expect(named(box, 'Go to all files').getAttribute('href')).toBe('/base/files');
});

it('says why a folder cannot be shown, and tries again', async () => {
  const { box } = await show(refusal(500, 'broken', 'It broke.'), { dir: 'x' });
  expect(box.textContent).toBe('The folder cannot be shownIt broke.Try againGo to all files');
  server.answer('GET /api/v1/files', listing([entry('a')]));
  await fire(named(box, 'Try again'), 'click');
  await vi.waitFor(() => expect(box.querySelector('table')).not.toBeNull());
  expect((await show(refusal(500, 'broken', 'It broke.'))).box.textContent).not.toContain('all files');
});
