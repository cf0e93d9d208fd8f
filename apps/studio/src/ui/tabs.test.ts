import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
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
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[data-orientation=horizontal][dir=ltr]',
      'div[data-orientation=horizontal][tabindex=0][aria-label=Views][aria-orientation=horizontal][role=tablist]',
      'buttonradix-#1-trigger-a[data-radix-collection-item][data-orientation=horizontal][tabindex=-1][data-state=active][aria-controls=radix-#1-content-a][aria-selected=true][role=tab][type=button] First',
      'buttonradix-#1-trigger-b[data-radix-collection-item][data-orientation=horizontal][tabindex=-1][data-state=inactive][aria-controls=radix-#1-content-b][aria-selected=false][role=tab][type=button] Second',
      'divradix-#1-content-a[tabindex=0][aria-labelledby=radix-#1-trigger-a][role=tabpanel][data-orientation=horizontal][data-state=active] Panel a',
      'divradix-#1-content-b[tabindex=0][hidden][aria-labelledby=radix-#1-trigger-b][role=tabpanel][data-orientation=horizontal][data-state=inactive]',
    ]);
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
