import { createElement } from 'react';
import { expect, it } from 'vitest';
import { fire, usePage } from '../testing/page.ts';
import { Tab, TabList, TabPanel, Tabs } from './tabs.tsx';

const page = usePage();

it('shows the panel of one tab, and changes by a press', async () => {
  const box = await page.show(
    createElement(
      Tabs,
      { defaultValue: 'a' },
      createElement(
        TabList,
        { 'aria-label': 'Views', className: 'mt-2' },
        createElement(Tab, { value: 'a', className: 'mt-3', children: 'First' }),
        createElement(Tab, { value: 'b', children: 'Second' }),
      ),
      createElement(TabPanel, { value: 'a', className: 'mt-4', children: 'Panel a' }),
      createElement(TabPanel, { value: 'b', children: 'Panel b' }),
    ),
  );
  const list = box.querySelector('[role=tablist]') as Element;
  const [first, second] = [...box.querySelectorAll('[role=tab]')] as [Element, Element];
  const panel = () => box.querySelector('[role=tabpanel]:not([hidden])');
  expect([list.getAttribute('aria-label'), first.textContent, second.textContent]).toEqual([
    'Views',
    'First',
    'Second',
  ]);
  expect([list, first, panel()].map((each) => /mt-\d$/.exec(each?.className ?? '')?.[0])).toEqual([
    'mt-2',
    'mt-3',
    'mt-4',
  ]);
  expect(panel()?.textContent).toBe('Panel a');
  await fire(second, 'mousedown', { button: 0, ctrlKey: false });
  expect([first, second].map((tab) => tab.getAttribute('aria-selected'))).toEqual(['false', 'true']);
  expect(panel()?.textContent).toBe('Panel b');
});
