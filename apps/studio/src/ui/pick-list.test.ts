import { act, createElement, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, type, usePage } from '../testing/page.ts';
import { PickList, type PickItem } from './pick-list.tsx';

const page = usePage();
let scrolled: (string | null)[] = [];
beforeEach(() => {
  scrolled = [];
  HTMLElement.prototype.scrollIntoView = function scroll(this: HTMLElement) {
    scrolled.push(this.textContent);
  };
});

const item = (id: string, more: Partial<PickItem> = {}): PickItem => ({ id, title: `Item ${id}`, ...more });
const many = (count: number) => Array.from({ length: count }, (_, at) => item(`${at}`));

async function show(items: readonly PickItem[], more: object = {}) {
  const picked: string[] = [];
  const searched: string[] = [];
  function List() {
    const [search, setSearch] = useState('');
    const onSearch = (text: string) => {
      searched.push(text);
      setSearch(text);
    };
    const onPick = ({ id }: PickItem) => void picked.push(id);
    return createElement(PickList, { label: 'Components', items, search, onSearch, onPick, ...more });
  }
  const box = await page.show(createElement(List));
  const input = box.querySelector('input') as HTMLInputElement;
  const rows = () => [...box.querySelectorAll<HTMLElement>('[role=option]')];
  const active = () => rows().findIndex((row) => row.getAttribute('aria-selected') === 'true');
  const press = (key: string, event: object = {}) =>
    fire(input, 'keydown', { key, isComposing: false, ...event }).then(({ defaultPrevented }) => defaultPrevented);
  return { box, input, rows, active, press, picked, searched };
}

it('moves by arrows and pages within the list, and picks by Enter', async () => {
  const { input, rows, active, press, picked } = await show(many(20));
  const places: number[] = [];
  for (const key of [
    'ArrowUp',
    'ArrowDown',
    'PageDown',
    'ArrowUp',
    'PageUp',
    'PageUp',
    'PageDown',
    'PageDown',
    'PageDown',
  ])
    places.push((await press(key)) ? active() : -1);
  expect(places).toEqual([0, 1, 9, 8, 0, 0, 8, 16, 19]);
  expect(rows()[19]?.getAttribute('id')).toBe(input.getAttribute('aria-activedescendant'));
  expect([scrolled[0], scrolled.at(-1)]).toEqual(['Item 0', 'Item 19']);
  expect([await press('Enter', { isComposing: true }), await press('a'), picked]).toEqual([false, false, []]);
  expect([await press('Enter'), picked]).toEqual([true, ['19']]);
});

it('starts again at the first row of a new search', async () => {
  const { input, active, press, searched } = await show(many(3));
  await press('ArrowDown');
  await type(input, 'it');
  expect([active(), searched]).toEqual([0, ['it']]);
});

it('shows at most 200 rows', async () => {
  expect((await show(many(201))).rows().length).toBe(200);
});

it('stays in a list that became shorter', async () => {
  let shrink = () => undefined as void;
  const picked: string[] = [];
  function List() {
    const [items, setItems] = useState(many(3));
    shrink = () => setItems(many(2));
    const onPick = ({ id }: PickItem) => void picked.push(id);
    return createElement(PickList, { label: 'L', items, search: '', onSearch: () => undefined, onPick });
  }
  const box = await page.show(createElement(List));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'input[placeholder=L][spellCheck=false][autoComplete=off][aria-autocomplete=list][aria-activedescendant=#1-0][aria-controls=#1][aria-expanded=true][aria-label=L][data-first=true][role=combobox]',
      'div#1[aria-label=L][role=listbox]',
      'div[aria-label=L][role=group]',
      'div#1-0[draggable=false][aria-selected=true][tabindex=-1][role=option]',
      'span Item 0',
      'div#1-1[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Item 1',
      'div#1-2[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Item 2',
    ]);
  const press = (key: string) => fire(box.querySelector('input') as Element, 'keydown', { key });
  await press('PageDown');
  await act(async () => shrink());
  await press('Enter');
  expect(picked).toEqual(['1']);
});

it('groups rows that follow each other, with their marks and descriptions', async () => {
  const { box, rows } = await show([
    item('a'),
    item('b', { group: 'inputs', about: 'About b', mark: 'M', end: 'E' }),
    item('c', { group: 'inputs' }),
    item('d', { group: 'tools' }),
  ]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'input[placeholder=Components][spellCheck=false][autoComplete=off][aria-autocomplete=list][aria-activedescendant=#1-0][aria-controls=#1][aria-expanded=true][aria-label=Components][data-first=true][role=combobox]',
      'div#1[aria-label=Components][role=listbox]',
      'div[aria-label=Components][role=group]',
      'div#1-0[draggable=false][aria-selected=true][tabindex=-1][role=option]',
      'span Item a',
      'div[aria-label=inputs][role=group]',
      'p[aria-hidden=true] inputs',
      'div#1-1[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span M',
      'span Item b',
      'span About b',
      'span E',
      'div#1-2[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Item c',
      'div[aria-label=tools][role=group]',
      'p[aria-hidden=true] tools',
      'div#1-3[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Item d',
    ]);
  expect(rows().map(({ textContent }) => textContent)).toEqual(['Item a', 'MItem bAbout bE', 'Item c', 'Item d']);
  const groups = [...box.querySelectorAll('[role=group]')];
  expect(
    groups.map((group) => [group.getAttribute('aria-label'), group.querySelectorAll('[role=option]').length]),
  ).toEqual([
    ['Components', 1],
    ['inputs', 2],
    ['tools', 1],
  ]);
  expect(groups.map((group) => group.querySelector('p')?.textContent)).toEqual([undefined, 'inputs', 'tools']);
});

it('says that nothing fits, and picks nothing then', async () => {
  const { box, input, press, picked } = await show([]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'input[placeholder=Components][spellCheck=false][autoComplete=off][aria-autocomplete=list][aria-expanded=false][aria-label=Components][data-first=true][role=combobox]',
      'p[role=status] Nothing fits this search.',
    ]);
  expect(box.querySelector('[role=status]')?.textContent).toBe('Nothing fits this search.');
  expect(['aria-expanded', 'aria-controls', 'aria-activedescendant'].map((name) => input.getAttribute(name))).toEqual([
    'false',
    null,
    null,
  ]);
  expect([await press('Enter'), picked, (await show([], { empty: 'None.' })).box.textContent]).toEqual([
    false,
    [],
    'None.',
  ]);
});

it('names the field and its list, and has the label as placeholder unless given', async () => {
  const { box, input } = await show(many(1), { className: 'grow' });
  const list = box.querySelector('[role=listbox]') as Element;
  expect(['aria-label', 'placeholder', 'aria-expanded'].map((name) => input.getAttribute(name))).toEqual([
    'Components',
    'Components',
    'true',
  ]);
  expect([list.getAttribute('aria-label'), list.getAttribute('id')]).toEqual([
    'Components',
    input.getAttribute('aria-controls'),
  ]);
  expect(box.firstElementChild?.className).toMatch(/ grow$/);
  expect((await show([], { placeholder: 'Search' })).input.getAttribute('placeholder')).toBe('Search');
});

it('picks by a click or Enter on a row, and leaves the focus in the field', async () => {
  const { rows, picked } = await show(many(2));
  const row = rows()[1] as Element;
  await fire(row, 'click');
  await fire(row, 'keydown', { key: 'a' });
  await fire(row, 'keydown', { key: 'Enter' });
  expect(picked).toEqual(['1', '1']);
  expect([(await fire(row, 'mousedown')).defaultPrevented, row.getAttribute('draggable')]).toEqual([true, 'false']);
});

it('hands on the data of a row that is dragged', async () => {
  const onDrag = vi.fn();
  const { rows } = await show(many(2), { onDrag });
  const row = rows()[1] as Element;
  const dataTransfer = {};
  await fire(row, 'dragstart', { dataTransfer });
  expect([onDrag.mock.calls, row.getAttribute('draggable')]).toEqual([[[item('1'), dataTransfer]], 'true']);
  expect((await fire(row, 'mousedown')).defaultPrevented).toBe(false);
});

it('names each group, and items without one by the list', async () => {
  const { box } = await show([item('a'), item('b', { group: 'Others' })]);
  const groups = [...box.querySelectorAll('[role=group]')];
  expect(groups.map((each) => [each.getAttribute('aria-label'), each.querySelector('p')?.textContent])).toEqual([
    ['Components', undefined],
    ['Others', 'Others'],
  ]);
});
