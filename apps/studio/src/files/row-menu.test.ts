import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { FileEntry } from '../api/files.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { RowMenu } from './row-menu.tsx';

const page = usePage();
const FILE: FileEntry = { name: 'a.txt', path: 'd/a.txt', type: 'file', size: 3, modifiedAt: null } as FileEntry;

async function show(more: Partial<FileEntry> = {}) {
  const calls: unknown[] = [];
  const on = (name: string) => (value: unknown) => void calls.push([name, value]);
  const entry = { ...FILE, ...more };
  const actions = {
    onOpen: on('open'),
    onDownload: on('download'),
    onEdit: on('edit'),
    onRename: on('rename'),
    onDelete: on('delete'),
  };
  const box = await page.show(createElement(RowMenu, { entry, tabIndex: -1, ...actions }));
  const items = () => [...document.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent.trim());
  const pick = (name: string) => fire(named(document.body, name, '[role=menuitem]'), 'click');
  return { box, calls, items, pick, entry };
}

it('is open, with what can be done with a text file', async () => {
  const { box, items } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'buttonradix-#1[data-radix-popper-align=end][data-radix-popper-side=bottom][data-state=open][aria-controls=radix-#2][aria-expanded=true][aria-haspopup=menu][tabindex=-1][title=Actions for a.txt][aria-label=Actions for a.txt][type=button]',
      'icon ellipsis 17',
    ]);
  expect(items()).toEqual(['Preview', 'Download', 'Edit', 'Show changes', 'Rename or move', 'Delete']);
  const button = named(box, 'Actions for a.txt');
  expect([button.getAttribute('tabindex')]).toEqual(['-1']);
});

it.each([
  ['Preview', 'open'],
  ['Download', 'download'],
  ['Edit', 'edit'],
  ['Rename or move', 'rename'],
])('has %s', async (name, call) => {
  const { calls, pick, entry } = await show();
  await pick(name);
  expect(calls).toEqual([[call, entry]]);
});

it('deletes this entry, and leads to its changes', async () => {
  const { calls, pick, entry } = await show();
  await pick('Delete');
  expect(calls).toEqual([['delete', [entry]]]);
  vi.stubGlobal('location', new URL(location.href));
  await (await show()).pick('Show changes');
  expect(location.pathname + location.search).toBe('/base/settings/activity?path=d%2Fa.txt');
});

it('offers less for folders, pictures and what is fixed', async () => {
  expect((await show({ type: 'dir', size: null })).items()).toEqual([
    'Open',
    'Show changes',
    'Rename or move',
    'Delete',
  ]);
});

it('offers no text editor for a picture', async () => {
  expect((await show({ name: 'a.png' })).items()).not.toContain('Edit');
});

it('neither renames nor deletes what a mount fixes', async () => {
  expect((await show({ isFixed: true })).items()).toEqual(['Preview', 'Download', 'Show changes']);
});
