import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { Button, buttonClass, IconButton } from './button.tsx';

const page = usePage();

async function press(props: object) {
  let clicks = 0;
  const box = await page.show(createElement(Button, { onClick: () => void (clicks += 1), children: 'Save', ...props }));
  const button = box.querySelector('button') as HTMLButtonElement;
  const { defaultPrevented } = await fire(button, 'click');
  return { clicks, defaultPrevented, button };
}

it('does not submit unless it says so, and calls its listener', async () => {
  const { clicks, button } = await press({});
  expect([clicks, button.getAttribute('type'), button.getAttribute('aria-busy')]).toEqual([1, 'button', null]);
  expect((await press({ type: 'submit' })).button.getAttribute('type')).toBe('submit');
});

it('does nothing while it is busy, not even submit, and says so', async () => {
  const { clicks, defaultPrevented, button } = await press({ busy: true, type: 'submit' });
  expect([clicks, defaultPrevented, button.getAttribute('aria-busy'), button.getAttribute('aria-disabled')]).toEqual([
    0,
    true,
    'true',
    'true',
  ]);
  expect(button.textContent).toContain('Working');
});

it('looks different by its kind and size', () => {
  expect(
    new Set([
      buttonClass(),
      buttonClass('danger'),
      buttonClass('primary'),
      buttonClass('quiet'),
      buttonClass('plain', true),
    ]).size,
  ).toBe(5);
  expect(buttonClass()).toBe(buttonClass('plain', false));
  const [small, large] = ['min-h-8 px-2.5 text-sm', 'min-h-9 px-3.5 text-base max-sm:min-h-10'];
  expect([buttonClass('plain', true).includes(small), buttonClass().includes(large)]).toEqual([true, true]);
  const looks = (['primary', 'plain', 'quiet', 'danger'] as const).map((look) => /bg-\S+/.exec(buttonClass(look))?.[0]);
  expect(looks).toEqual(['bg-accent', 'bg-surface', 'bg-transparent', 'bg-bad']);
});

it('has a name where it shows only an icon', async () => {
  const box = await page.show(createElement(IconButton, { label: 'Close', children: 'x' }));
  await expect.poll(() => outline(box)).toEqual(['button[title=Close][aria-label=Close][type=button] x']);
  const button = box.querySelector('button');
  expect([button?.getAttribute('aria-label'), button?.getAttribute('title'), button?.getAttribute('type')]).toEqual([
    'Close',
    'Close',
    'button',
  ]);
});
