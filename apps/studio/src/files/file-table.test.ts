import { act, createElement, useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { FileEntry } from '../api/files.ts';
import { settle } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { check, fire, named, usePage } from '../testing/page.ts';
import { FileTable, type FileTableProps } from './file-table.tsx';
import { NONE, type Selection } from './selection.ts';

const page = usePage();
afterEach(() => void vi.useRealTimers());
const entry = (name: string, type = 'file') =>
  ({ name, path: `d/${name}`, type, size: 1, modifiedAt: null }) as FileEntry;
const THREE = [entry('apple'), entry('apricot'), entry('Banana')];

async function show(more: Partial<FileTableProps> = {}, start: Partial<Selection> = {}) {
  const calls: unknown[] = [];
  const on = (name: string) => (value?: unknown) =>
    void calls.push([
      name,
      Array.isArray(value) ? value.map(({ name: each }) => each) : ((value as FileEntry)?.name ?? value),
    ]);
  let selection: Selection = { ...NONE, ...start };
  function Table() {
    const [now, setNow] = useState(selection);
    selection = now;
    const entries = more.entries ?? THREE;
    return createElement(FileTable, {
      label: 'Files in d',
      entries,
      total: entries.length,
      onMore: undefined,
      onAll: undefined,
      selection: now,
      onSelect: setNow,
      sort: { by: 'name', descending: false },
      onSort: on('sort'),
      shown: undefined,
      onUp: on('up'),
      hrefOf: ({ path }) => `/${path}`,
      onOpen: on('open'),
      onRename: on('rename'),
      onEdit: on('edit'),
      onDelete: on('delete'),
      onDownload: on('download'),
      ...more,
    } as FileTableProps);
  }
  const box = await page.show(createElement(Table));
  const body = box.querySelector('tbody') as Element;
  const press = async (key: string, event: object = {}, target: Element = body) =>
    (await fire(target, 'keydown', { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...event }))
      .defaultPrevented;
  const chosen = () => [...selection.chosen].map((path) => path.slice(2));
  return { box, body, calls, press, chosen, active: () => selection.active?.slice(2) };
}

it('is a grid with its name and the count of its rows, of which one has the focus', async () => {
  const { box } = await show({ shown: 'd/Banana' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'table[aria-rowcount=4][aria-multiselectable=true][aria-label=Files in d][role=grid]',
      'th[scope=col]',
      'input[type=checkbox][aria-label=Select all]',
      'icon check 14',
      'icon minus 14',
      'th[aria-sort=ascending][scope=col]',
      'button[type=button] Name',
      'icon arrow-up 14',
      'th[scope=col]',
      'button[type=button] Size',
      'th[scope=col]',
      'button[type=button] Modified',
      'th[scope=col]',
      'span Actions',
      'tr[aria-selected=false][data-focus-home=true][aria-rowindex=2][tabindex=0]',
      'input[type=checkbox][tabindex=0][aria-label=Select apple]',
      'icon check 14',
      'icon minus 14',
      'icon file 18',
      'a[href=/base/d/apple][tabindex=-1]',
      'bdi apple',
      'span 1 B',
      'td 1 B',
      'button[tabindex=0][aria-expanded=false][aria-haspopup=menu][title=Actions for apple][aria-label=Actions for apple][type=button]',
      'icon ellipsis 17',
      'tr[aria-selected=false][aria-rowindex=3][tabindex=-1]',
      'input[type=checkbox][tabindex=-1][aria-label=Select apricot]',
      'icon check 14',
      'icon minus 14',
      'icon file 18',
      'a[href=/base/d/apricot][tabindex=-1]',
      'bdi apricot',
      'span 1 B',
      'td 1 B',
      'button[tabindex=-1][aria-expanded=false][aria-haspopup=menu][title=Actions for apricot][aria-label=Actions for apricot][type=button]',
      'icon ellipsis 17',
      'tr[aria-selected=false][aria-rowindex=4][tabindex=-1]',
      'input[type=checkbox][tabindex=-1][aria-label=Select Banana]',
      'icon check 14',
      'icon minus 14',
      'icon file 18',
      'a[href=/base/d/Banana][tabindex=-1]',
      'bdi Banana',
      'span 1 B',
      'td 1 B',
      'button[tabindex=-1][aria-expanded=false][aria-haspopup=menu][title=Actions for Banana][aria-label=Actions for Banana][type=button]',
      'icon ellipsis 17',
    ]);
  const grid = box.querySelector('table') as Element;
  expect(
    ['role', 'aria-label', 'aria-multiselectable', 'aria-rowcount'].map((name) => grid.getAttribute(name)),
  ).toEqual(['grid', 'Files in d', 'true', '4']);
  const rows = [...box.querySelectorAll('tbody tr')];
  expect(rows.map((row) => [row.getAttribute('aria-rowindex'), row.getAttribute('tabindex')])).toEqual([
    ['2', '0'],
    ['3', '-1'],
    ['4', '-1'],
  ]);
  expect(rows.map((row) => row.className.includes('bg-selected'))).toEqual([false, false, true]);
  expect([...box.querySelectorAll('th')].map(({ textContent }) => textContent)).toEqual([
    '',
    'Name',
    'Size',
    'Modified',
    'Actions',
  ]);
});

it('moves by arrows, extends by Shift, and opens by Enter', async () => {
  const { press, calls, active, chosen } = await show();
  expect([await press('ArrowDown'), active()]).toEqual([true, 'apricot']);
  await press('ArrowDown', { shiftKey: true });
  expect(chosen()).toEqual(['apricot', 'Banana']);
  await press('Enter');
  expect(calls).toEqual([['open', 'Banana']]);
  expect([await press('ArrowUp', { ctrlKey: true }), await press('Tab'), active()]).toEqual([false, false, 'Banana']);
});

it('selects by Space, all by Ctrl+A, and none by Escape', async () => {
  const { press, chosen } = await show();
  expect(await press('Escape')).toBe(false);
  await press(' ');
  expect(chosen()).toEqual(['apple']);
  expect([await press('A', { metaKey: true }), chosen()]).toEqual([true, ['apple', 'apricot', 'Banana']]);
  expect([await press('Escape'), chosen(), await press(' ', { ctrlKey: true })]).toEqual([true, [], false]);
});

it('renames and deletes the active row, or deletes those that are selected', async () => {
  const { press, calls } = await show();
  for (const [key, event] of [
    ['F2', {}],
    ['Delete', {}],
    ['Backspace', { metaKey: true }],
  ] as const)
    await press(key, event);
  await press(' ');
  await press('ArrowDown');
  await press('Delete');
  expect(calls).toEqual([
    ['rename', 'apple'],
    ['delete', ['apple']],
    ['delete', ['apple']],
    ['delete', ['apple']],
  ]);
});

it('goes up by Backspace or Alt and the arrow', async () => {
  const { press, calls } = await show();
  await press('Backspace');
  await press('ArrowUp', { altKey: true });
  expect([calls, await press('Backspace', { ctrlKey: true })]).toEqual([
    [
      ['up', undefined],
      ['up', undefined],
    ],
    false,
  ]);
});

it('finds a name by its first letters, typed without a pause', async () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
  const { press, active } = await show();
  await press('A');
  await press('p');
  expect([await press('r'), active()]).toEqual([true, 'apricot']);
  vi.advanceTimersByTime(700);
  await press('b');
  expect(active()).toBe('Banana');
  vi.advanceTimersByTime(699);
  await press('x');
  vi.advanceTimersByTime(699);
  await press('a');
  expect(active()).toBe('Banana');
  await press('ArrowUp');
  await press('a');
  expect(active()).toBe('apple');
  expect([await press('/'), await press('b', { altKey: true }), active()]).toEqual([false, false, 'apple']);
});

it('leaves keys to the buttons, links and boxes of a row', async () => {
  const { box, press } = await show();
  for (const selector of ['tbody button', 'tbody a', 'tbody input'])
    expect(await press('ArrowDown', {}, box.querySelector(selector) as Element)).toBe(false);
});

it('keeps handled keys from the shortcuts of the page', async () => {
  const { press } = await show();
  let seen = 0;
  document.body.addEventListener('keydown', () => void (seen += 1));
  await press('ArrowDown');
  await press('Tab');
  expect(seen).toBe(1);
});

it('does nothing for keys in an empty table', async () => {
  const { press, calls } = await show({ entries: [] });
  for (const key of ['Enter', 'F2', 'Delete', ' ']) expect(await press(key)).toBe(false);
  expect(calls).toEqual([]);
});

it('selects all by its box, or none where all were', async () => {
  const { box, chosen } = await show();
  const all = named(box, 'Select all') as HTMLInputElement;
  const state = () => [all.checked, all.indeterminate];
  expect(state()).toEqual([false, false]);
  await check(named(box, 'Select apple'));
  expect(state()).toEqual([false, true]);
  await check(all);
  expect([chosen().length, ...state()]).toEqual([3, true, false]);
  await check(all);
  expect([chosen(), ...state()]).toEqual([[], false, false]);
});

it('loads a long folder before it selects all of it', async () => {
  const onAll = vi.fn(() => Promise.resolve([...THREE, entry('far')]));
  const { box, chosen } = await show({ total: 4, onAll });
  await check(named(box, 'Select all'));
  await act(settle);
  expect(chosen()).toEqual(['apple', 'apricot', 'Banana', 'far']);
});

it.each([
  [{ by: 'name', descending: false }, 'Name', { by: 'name', descending: true }],
  [{ by: 'name', descending: true }, 'Name', { by: 'name', descending: false }],
  [{ by: 'size', descending: false }, 'Name', { by: 'name', descending: false }],
  [{ by: 'name', descending: false }, 'Size', { by: 'size', descending: true }],
  [{ by: 'name', descending: false }, 'Modified', { by: 'modified', descending: true }],
] as const)('sorts %j by a press on %s', async (sort, name, next) => {
  const { box, calls } = await show({ sort });
  await fire(named(box, name), 'click');
  expect(calls).toEqual([['sort', next]]);
  const sorted = [...box.querySelectorAll('[aria-sort]')];
  const current = { name: 'Name', size: 'Size', modified: 'Modified' }[sort.by as 'name'];
  expect(sorted.map((head) => [head.textContent, head.getAttribute('aria-sort')])).toEqual([
    [current, sort.descending ? 'descending' : 'ascending'],
  ]);
  expect(box.querySelectorAll('th svg.lucide-arrow-down').length).toBe(sort.descending ? 1 : 0);
  expect(box.querySelectorAll('th svg.lucide-arrow-up').length).toBe(sort.descending ? 0 : 1);
});

it('loads more before the loaded rows end, and leaves a gap for the others', async () => {
  const onMore = vi.fn();
  const { box } = await show({ total: 5, onMore });
  expect(onMore).toHaveBeenCalled();
  const gap = box.querySelector('tbody tr[aria-hidden=true]') as HTMLElement;
  expect([gap.style.height, gap.querySelector('td')?.getAttribute('colSpan')]).toEqual(['90px', '5']);
  onMore.mockClear();
  await show({ onMore });
  expect(onMore).not.toHaveBeenCalled();
});

it('makes the row active that gets the focus', async () => {
  const { box, active } = await show();
  const rows = [...box.querySelectorAll('tbody tr')] as HTMLElement[];
  Object.assign(rows[2] as HTMLElement, { ariaRowIndex: '4' });
  await fire(rows[2] as Element, 'focusin');
  expect(active()).toBe('Banana');
});

it('moves the focus to the active row where the focused one was removed', async () => {
  let remove: () => void = () => undefined;
  function Table() {
    const [entries, setEntries] = useState(THREE);
    const [selection, onSelect] = useState<Selection>({ ...NONE, active: 'd/apricot' });
    remove = () => {
      setEntries(THREE.filter(({ name }) => name !== 'apricot'));
      onSelect({ ...NONE, active: 'd/Banana' });
    };
    const none = () => undefined;
    const props = {
      label: 'L',
      entries,
      total: entries.length,
      selection,
      onSelect,
      sort: { by: 'name', descending: false },
    };
    const actions = {
      onSort: none,
      onUp: none,
      hrefOf: () => '/',
      onOpen: none,
      onRename: none,
      onEdit: none,
      onDelete: none,
    };
    return createElement(FileTable, { ...props, ...actions, onDownload: none } as unknown as FileTableProps);
  }
  const box = await page.show(createElement(Table));
  const row = (at: number) => box.querySelectorAll('tbody tr')[at] as HTMLElement;
  Object.defineProperty(document, 'activeElement', { configurable: true, value: document.body });
  const focus = vi.spyOn(HTMLElement.prototype, 'focus').mockImplementation(() => undefined);
  Object.assign(row(1), { ariaRowIndex: '3' });
  await fire(row(1), 'focusin');
  await act(async () => remove());
  expect([focus.mock.contexts, focus.mock.calls]).toEqual([[row(1)], [[{ preventScroll: true }]]]);
  focus.mockRestore();
});
