import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { Switch } from './switch.tsx';

const page = usePage();

it('says its name and state, and what it becomes when pressed', async () => {
  const onCheckedChange = vi.fn();
  const props = { 'aria-label': 'Allow', checked: true, onCheckedChange, className: 'ml-2' };
  const box = await page.show(createElement(Switch, props));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'button[aria-label=Allow][data-state=checked][aria-checked=true][role=switch][type=button]',
      'span[data-state=checked]',
    ]);
  const control = box.querySelector('[role=switch]') as Element;
  expect([control.getAttribute('aria-label'), control.getAttribute('aria-checked')]).toEqual(['Allow', 'true']);
  expect([control.className.endsWith(' ml-2'), control.children.length]).toEqual([true, 1]);
  await fire(control, 'click');
  expect(onCheckedChange.mock.calls).toEqual([[false]]);
});
