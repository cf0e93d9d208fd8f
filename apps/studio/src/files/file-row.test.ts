import { act, createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { FileEntry } from '../api/files.ts';
import { settle } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { check, fire, named, usePage } from '../testing/page.ts';
import { FileRow } from './file-row.tsx';

// Loaded before a test waits for it.
import './row-menu.tsx';

const page = usePage();
const FILE = {
  name: 'a.txt',
  path: 'd/a.txt',
  type: 'file',
  size: 2048,
  modifiedAt: '2026-01-01T00:00:00Z',
} as FileEntry;

async function show(more: Partial<FileEntry> = {}, props: object = {}) {
  const calls: unknown[] = [];
  const on = (name: string) => (_: unknown, value?: unknown) =>
    void calls.push(value === undefined ? name : [name, value]);
  const entry = { ...FILE, ...more };
  const actions = {
    hrefOf: ({ path }: FileEntry) => `/at/${path}`,
    onOpen: on('open'),
    onRename: on('rename'),
    onEdit: on('edit'),
    onDelete: on('delete'),
    onDownload: on('download'),
    onToggle: on('toggle'),
    onPoint: on('point'),
  };
  const given = { entry, rowIndex: 7, isActive: false, isChosen: false, isShown: false, actions, ...props };
  const table = createElement('table', {}, createElement('tbody', {}, createElement(FileRow, given)));
  const box = await page.show(table);
  const row = box.querySelector('tr') as Element;
  const click = (target: Element, event: object = {}) =>
    fire(target, 'click', { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...event });
  return { box, row, calls, click };
}
const cells = (row: Element) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent);

it('says the name, size and time of a file', async () => {
  const { row } = await show({ note: 'All users' });
  expect(cells(row)).toEqual(['', 'a.txtAll users2.0 KB · Jan 1, 2026', '2.0 KB', 'Jan 1, 2026', '']);
  expect(row.querySelector('time')?.getAttribute('title')).toContain('2026');
  expect(named(row, 'a.txt').getAttribute('href')).toBe('/base/at/d/a.txt');
  expect(named(row, 'Select a.txt').getAttribute('type')).toBe('checkbox');
});

it('has no size for a folder, and no time where there is none', async () => {
  const { row } = await show({ type: 'dir', size: 5, modifiedAt: null });
  expect([cells(row), row.querySelector('time')]).toEqual([['', 'a.txt', '', '', ''], null]);
  expect(named(row, 'a.txt').className).toContain('font-medium');
  expect(cells((await show({ size: null })).row)[2]).toBe('');
  expect(cells((await show({ size: 0 })).row)[2]).toBe('0 B');
});

it('says where it is, whether it is selected, and that Tab reaches only the active one', async () => {
  const facts = ({ row }: { row: Element }) => [
    ...['tabindex', 'aria-rowindex', 'aria-selected', 'data-focus-home'].map((name) => row.getAttribute(name)),
    row.querySelector('input')?.getAttribute('tabindex'),
    row.className.includes('bg-selected'),
  ];
  expect(facts(await show())).toEqual(['-1', '7', 'false', null, '-1', false]);
  expect(facts(await show({}, { isActive: true, isChosen: true }))).toEqual(['0', '7', 'true', 'true', '0', true]);
  expect((await show({}, { isShown: true })).row.className).toContain('bg-selected');
});

it('opens by a click, selects it with Ctrl, and a range with Shift', async () => {
  const { row, calls, click } = await show();
  const cell = row.querySelectorAll('td')[2] as Element;
  await click(cell);
  await click(cell, { ctrlKey: true });
  await click(cell, { metaKey: true });
  expect((await click(cell, { shiftKey: true })).defaultPrevented).toBe(true);
  expect(calls).toEqual([['point', false], 'open', 'toggle', 'toggle', ['point', true]]);
});

it('follows its link without opening twice', async () => {
  const { row, calls, click } = await show();
  const link = named(row, 'a.txt');
  await click(link);
  expect([calls, location.pathname]).toEqual([[['point', false]], '/base/at/d/a.txt']);
  vi.stubGlobal('location', new URL('http://croft.test/base/'));
  for (const event of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }]) await click(link, event);
  expect([calls.slice(1), location.pathname]).toEqual([['toggle', 'toggle', ['point', true]], '/base/']);
});

it('is selected by its box, which does not open it', async () => {
  const { row, calls } = await show();
  await check(row.querySelector('input') as Element);
  expect(calls).toEqual(['toggle']);
});

it('opens its menu on the first press', async () => {
  const { row, calls, click } = await show();
  const button = named(row, 'Actions for a.txt');
  expect([
    button.getAttribute('aria-haspopup'),
    button.getAttribute('aria-expanded'),
    button.getAttribute('tabindex'),
  ]).toEqual(['menu', 'false', '-1']);
  await click(button);
  await vi.waitFor(async () => {
    await act(settle);
    expect(document.querySelectorAll('[role=menuitem]').length).toBe(6);
  });
  await fire(named(document.body, 'Preview', '[role=menuitem]'), 'click');
  expect(calls).toEqual(['open']);
});

it('shows a file that is chosen, and a folder', async () => {
  expect(outline((await show({}, { isChosen: true, isActive: true, isShown: true })).box)).toEqual([
    'tr[aria-selected=true][data-focus-home=true][aria-rowindex=7][tabindex=0]',
    'input[type=checkbox][tabindex=0][aria-label=Select a.txt][checked]',
    'icon check 14',
    'icon minus 14',
    'icon file-text 18',
    'a[href=/base/at/d/a.txt][tabindex=-1]',
    'bdi a.txt',
    'span 2.0 KB · Jan 1, 2026',
    'td 2.0 KB',
    'time 2026-01-01T00:00:00Z',
    'button[tabindex=0][aria-expanded=false][aria-haspopup=menu][title=Actions for a.txt][aria-label=Actions for a.txt][type=button]',
    'icon ellipsis 17',
  ]);
  expect(outline((await show({ type: 'dir', size: null } as never)).box)).toEqual([
    'tr[aria-selected=false][aria-rowindex=7][tabindex=-1]',
    'input[type=checkbox][tabindex=-1][aria-label=Select a.txt]',
    'icon check 14',
    'icon minus 14',
    'icon folder 18',
    'a[href=/base/at/d/a.txt][tabindex=-1]',
    'bdi a.txt',
    'span Jan 1, 2026',
    'time 2026-01-01T00:00:00Z',
    'button[tabindex=-1][aria-expanded=false][aria-haspopup=menu][title=Actions for a.txt][aria-label=Actions for a.txt][type=button]',
    'icon ellipsis 17',
  ]);
});
