import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { NotLoaded } from './not-loaded.tsx';

const page = usePage();
const PROPS = { what: 'flows', error: null, onRetry: () => undefined };

it('says what loads, with as many lines as asked and padding outside of a body', async () => {
  const box = await page.show(createElement(NotLoaded, { ...PROPS, lines: 5 }));
  const line = 'span[aria-hidden=true]';
  await expect
    .poll(() => outline(box))
    .toEqual(['div[role=status]', 'span Loading the flows', line, line, line, line, line]);
  expect(box.textContent).toBe('Loading the flows');
  expect([box.querySelectorAll('.animate-breathe').length, box.firstElementChild?.className]).toEqual([5, 'p-5']);
  const inBody = await page.show(createElement(NotLoaded, { ...PROPS, isInBody: true }));
  expect(inBody.firstElementChild?.getAttribute('role')).toBe('status');
});

it('says why the content cannot be shown, and tries again', async () => {
  const onRetry = vi.fn();
  const box = await page.show(createElement(NotLoaded, { ...PROPS, error: new Error('No network.'), onRetry }));
  expect(box.textContent).toBe('The flows cannot be shownNo network.Try again');
  await fire(named(box, 'Try again'), 'click');
  expect(onRetry).toHaveBeenCalledOnce();
});
