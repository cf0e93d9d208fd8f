import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { FileEntry } from '../api/files.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { SelectionBar } from './selection-bar.tsx';

const page = usePage();
const entry = (path: string, more: Partial<FileEntry> = {}) =>
  ({ path, name: path, type: 'file', ...more }) as FileEntry;

async function show(...entries: FileEntry[]) {
  const calls: unknown[][] = [];
  const note = (name: string) => (given?: FileEntry | readonly FileEntry[]) =>
    void calls.push([name, ...[given ?? []].flat().flatMap((each) => (each as FileEntry).path ?? [])]);
  const box = await page.show(
    createElement(SelectionBar, {
      entries,
      onClear: note('clear'),
      onRename: note('rename'),
      onDelete: note('delete'),
      onDownload: note('download'),
      onEdit: note('edit'),
    }),
  );
  const names = [...box.querySelectorAll('button')].map(
    (each) => each.textContent.trim() || each.getAttribute('aria-label'),
  );
  return { box, names, calls };
}

it('is absent without a selection', async () => {
  expect((await show()).box.innerHTML).toBe('');
});

it('acts on exactly what is selected', async () => {
  const { box, names, calls } = await show(entry('a'), entry('b'));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-label=Selection][role=toolbar]',
      'span[role=status] 2 selected',
      'button[type=button]',
      'icon download 16',
      'span Download',
      'button[type=button]',
      'icon trash 16',
      'span Delete',
      'button[title=Clear the selection][aria-label=Clear the selection][type=button]',
      'icon x 16',
    ]);
  expect([names, box.textContent]).toEqual([
    ['Download', 'Delete', 'Clear the selection'],
    expect.stringContaining('2 selected'),
  ]);
  for (const name of ['Download', 'Delete', 'Clear the selection']) await fire(named(box, name), 'click');
  expect(calls).toEqual([['download', 'a'], ['download', 'b'], ['delete', 'a', 'b'], ['clear']]);
});

it('renames one entry, and downloads no folder', async () => {
  const { box, names, calls } = await show(entry('d', { type: 'dir' }));
  expect(names).toEqual(['Rename or move', 'Delete', 'Clear the selection']);
  await fire(named(box, 'Rename or move'), 'click');
  expect(calls).toEqual([['rename', 'd']]);
  expect((await show(entry('a'), entry('d', { type: 'dir' }))).names).toEqual(['Delete', 'Clear the selection']);
});

it('neither renames nor deletes where one of them is fixed', async () => {
  expect((await show(entry('a'), entry('mine', { isFixed: true }))).names).toEqual(['Download', 'Clear the selection']);
  expect((await show(entry('mine', { isFixed: true }))).names).toEqual(['Download', 'Clear the selection']);
});
