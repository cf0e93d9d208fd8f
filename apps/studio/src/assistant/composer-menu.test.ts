import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { ComposerMenu } from './composer-menu.tsx';

const page = usePage();

it('lists suggestions, marks the active one, and takes one', async () => {
  const take = vi.fn();
  const entries = ['run', 'undo'].map((id) => ({ id, title: `/${id}`, about: `About ${id}`, take: () => take(id) }));
  const box = await page.show(createElement(ComposerMenu, { id: 'm', entries, active: entries[1] }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-label=Suggestions][role=listbox]',
      'div[aria-selected=false][tabindex=-1][role=option]',
      'span /run',
      'span About run',
      'div[aria-selected=true][tabindex=-1][role=option]',
      'span /undo',
      'span About undo',
    ]);
  const options = [...box.querySelectorAll('[role=option]')] as [Element, Element];
  const list = box.querySelector('[role=listbox]');
  expect([list?.getAttribute('id'), list?.getAttribute('aria-label')]).toEqual(['m', 'Suggestions']);
  expect(options.map((each) => [each.id, each.getAttribute('aria-selected'), each.textContent])).toEqual([
    ['m-0', 'false', '/runAbout run'],
    ['m-1', 'true', '/undoAbout undo'],
  ]);
  expect(options.map(({ className }) => className.includes('bg-selected'))).toEqual([false, true]);
  await fire(options[0], 'click');
  await fire(options[1], 'keydown', { key: 'a' });
  await fire(options[1], 'keydown', { key: 'Enter' });
  expect([take.mock.calls, (await fire(options[0], 'mousedown')).defaultPrevented]).toEqual([
    [['run'], ['undo']],
    true,
  ]);
});
