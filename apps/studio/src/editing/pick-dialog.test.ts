import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
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
