import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, type, usePage } from '../testing/page.ts';
import type { PickItem } from '../ui/pick-list.tsx';
import { PickDialog } from './pick-dialog.tsx';

const page = usePage();

async function show(items: readonly PickItem[]) {
  const [onPick, onClose] = [vi.fn(), vi.fn()];
  const props = {
    title: 'Commands',
    about: 'All of them.',
    label: 'Search',
    items,
    empty: 'None now.',
    onPick,
    onClose,
  };
  const box = await page.show(createElement(PickDialog, props));
  const search = (text: string) => type(box.querySelector('input') as Element, text);
  const titles = () => [...box.querySelectorAll('[role=option] .font-medium')].map(({ textContent }) => textContent);
  return { box, onPick, onClose, search, titles };
}
const ITEMS = [
  { id: '1', title: 'Undo', group: 'Commands' },
  { id: '2', title: 'Agent', about: 'Uses tools', group: 'Add' },
  { id: '3', title: 'Tool', group: 'Add' },
];

it('finds rows with every word in the name, purpose or group', async () => {
  const { box, search, titles } = await show(ITEMS);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-describedby=#1-about][aria-labelledby=#1]',
      'h2#1 Commands',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'p#1-about All of them.',
      'input[placeholder=Search][spellCheck=false][autoComplete=off][aria-autocomplete=list][aria-activedescendant=#2-0][aria-controls=#2][aria-expanded=true][aria-label=Search][data-first=true][role=combobox]',
      'div#2[aria-label=Search][role=listbox]',
      'div[aria-label=Commands][role=group]',
      'p[aria-hidden=true] Commands',
      'div#2-0[draggable=false][aria-selected=true][tabindex=-1][role=option]',
      'span Undo',
      'div[aria-label=Add][role=group]',
      'p[aria-hidden=true] Add',
      'div#2-1[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Agent',
      'span Uses tools',
      'div#2-2[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Tool',
    ]);
  expect([
    box.querySelector('h2')?.textContent,
    box.querySelector('input')?.getAttribute('aria-label'),
    titles(),
  ]).toEqual(['Commands', 'Search', ['Undo', 'Agent', 'Tool']]);
  expect(box.textContent).toContain('All of them.');
  await search('  TOOL add');
  expect(titles()).toEqual(['Agent', 'Tool']);
  await search('tools');
  expect(titles()).toEqual(['Agent']);
  await search('undo tool');
  expect([titles(), box.querySelector('p[role=status]')?.textContent]).toEqual([[], 'Nothing fits this search.']);
});

it('picks a row', async () => {
  const { box, onPick } = await show(ITEMS);
  await fire(box.querySelectorAll('[role=option]')[1] as Element, 'click');
  expect(onPick.mock.calls).toEqual([[ITEMS[1]]]);
});

it('says that there is nothing to pick', async () => {
  expect((await show([])).box.querySelector('p[role=status]')?.textContent).toBe('None now.');
});
