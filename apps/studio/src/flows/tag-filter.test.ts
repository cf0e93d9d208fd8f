import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { TagFilter, TriggeredFilter } from './tag-filter.tsx';

const page = usePage();
const TAGS = [
  { name: 'work', flows: 1 },
  { name: 'home', flows: 2 },
];

async function show(chosen: string, tags = TAGS) {
  const onChoose = vi.fn();
  const box = await page.show(createElement(TagFilter, { tags, chosen, onChoose }));
  const buttons = [...box.querySelectorAll('button')];
  return { box, buttons, onChoose, pressed: buttons.map((each) => each.getAttribute('aria-pressed')) };
}

it('counts the flows of each tag, and shows those of one that is pressed', async () => {
  const { box, buttons, onChoose, pressed } = await show('');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'ul[aria-label=Tags]',
      'button[aria-pressed=false][type=button]',
      'span[aria-hidden=true]',
      'icon tag 13',
      'span work',
      'span 1',
      'span flow',
      'button[aria-pressed=false][type=button]',
      'span[aria-hidden=true]',
      'icon tag 13',
      'span home',
      'span 2',
      'span flows',
    ]);
  expect(box.querySelector('ul')?.getAttribute('aria-label')).toBe('Tags');
  expect([buttons.map(({ textContent }) => textContent), pressed]).toEqual([
    ['work1 flow', 'home2 flows'],
    ['false', 'false'],
  ]);
  await fire(buttons[1] as Element, 'click');
  expect(onChoose.mock.calls).toEqual([['home']]);
});

it('shows all flows again by another press', async () => {
  const { buttons, onChoose, pressed } = await show('home');
  expect([buttons[1]?.textContent, pressed, buttons[1]?.querySelectorAll('svg').length]).toEqual([
    'home',
    ['false', 'true'],
    2,
  ]);
  await fire(buttons[1] as Element, 'click');
  expect(onChoose.mock.calls).toEqual([['']]);
});

it('keeps a chosen tag that no flow has any more', async () => {
  const { buttons } = await show('gone');
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['gone', 'work1 flow', 'home2 flows']);
  expect((await show('gone', [])).buttons.length).toBe(1);
});

it('appears only with tags', async () => {
  expect((await show('', [])).box.innerHTML).toBe('');
});

it.each([true, false])('shows only flows that run by themselves, or all: %s', async (isChosen) => {
  const onChoose = vi.fn();
  const box = await page.show(createElement(TriggeredFilter, { isChosen, onChoose }));
  expect(outline(box)).toEqual([
    `button[aria-pressed=${isChosen}][type=button] Runs by itself`,
    'span[aria-hidden=true]',
    'icon zap 13',
    ...(isChosen ? ['icon x 13'] : []),
  ]);
  await fire(box.querySelector('button') as Element, 'click');
  expect(onChoose.mock.calls).toEqual([[!isChosen]]);
});
