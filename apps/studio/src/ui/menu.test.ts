import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { Menu, MenuItem, MenuLine } from './menu.tsx';

const page = usePage();

async function show(onSelect: () => void, defaultOpen = false) {
  document.body.append(document.createElement('main'));
  const box = await page.show(
    createElement(
      Menu,
      { trigger: createElement('button', {}, 'Actions'), defaultOpen, children: [] },
      createElement(MenuItem, { key: 1, onSelect, children: 'Rename' }),
      createElement(MenuLine, { key: 2 }),
      createElement(MenuItem, { key: 3, danger: true, className: 'last', children: 'Delete' }),
    ),
  );
  const items = () => [...document.querySelectorAll<HTMLElement>('[role=menuitem]')];
  return { box, items };
}

it('opens by its button, inside of the main landmark', async () => {
  const { box, items } = await show(() => undefined);
  await expect
    .poll(() => outline(box))
    .toEqual(['buttonradix-#1[data-state=closed][aria-expanded=false][aria-haspopup=menu][type=button] Actions']);
  expect(items()).toEqual([]);
  await fire(named(box, 'Actions'), 'keydown', { key: 'Enter' });
  expect(items().map(({ textContent }) => textContent)).toEqual(['Rename', 'Delete']);
  expect(items().map((item) => item.className.includes('text-bad'))).toEqual([false, true]);
  expect(items()[1]?.className).toMatch(/ last$/);
  expect(document.querySelectorAll('main [role=menu] [role=separator]').length).toBe(1);
});

it('calls the listener of an item, and then closes', async () => {
  const onSelect = vi.fn();
  const { items } = await show(onSelect, true);
  await fire(items()[0] as Element, 'click');
  expect([onSelect.mock.calls.length, items()]).toEqual([1, []]);
});

it('keeps its keys from the shortcuts of the page', async () => {
  await show(() => undefined, true);
  let seen = 0;
  document.body.addEventListener('keydown', () => void (seen += 1));
  await fire(document.querySelector('[role=menu]') as Element, 'keydown', { key: 'a' });
  expect(seen).toBe(0);
});

it('opens inside of the dialog that has its button, because the rest of the page is inert', async () => {
  document.body.append(document.createElement('main'));
  const menu = createElement(Menu, { trigger: createElement('button', {}, 'Actions'), children: 'Rename' });
  const box = await page.show(createElement('dialog', {}, menu));
  await fire(named(box, 'Actions'), 'keydown', { key: 'Enter' });
  expect(document.querySelector('[role=menu]')?.closest('dialog, main')?.localName).toBe('dialog');
});
