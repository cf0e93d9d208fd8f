import { createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { LineText } from './line-text.tsx';

const page = usePage();
let scrolled: unknown[] = [];
beforeEach(() => {
  scrolled = [];
  HTMLElement.prototype.scrollIntoView = function scroll(this: HTMLElement, options) {
    scrolled.push([this.style.top, options]);
  };
});

async function show(text: string, mark?: number) {
  const box = await page.show(createElement(LineText, { text, label: 'Text of a', mark }));
  const [numbers, lines] = [...box.querySelectorAll<Element>('pre')] as [Element, Element];
  return { box, numbers, lines, marker: () => box.querySelector('span[aria-hidden]') };
}
const long = (count: number) => Array.from({ length: count }, (_, at) => `l${at + 1}`).join('\n');

it('numbers the lines of every kind, without an empty last one', async () => {
  const { box, numbers, lines, marker } = await show('a\r\nb\rc\n');
  expect([numbers.textContent, lines.textContent, marker()]).toEqual(['1\n2\n3', 'a\nb\nc', null]);
  expect([box.querySelector('[role=region]')?.getAttribute('aria-label'), numbers.getAttribute('aria-hidden')]).toEqual(
    ['Text of a', 'true'],
  );
  expect([scrolled, box.querySelector('button')]).toEqual([[], null]);
});

it('marks a line and scrolls to it', async () => {
  await show('a\nb\nc', 3);
  expect(scrolled).toEqual([['3.25rem', { block: 'center' }]]);
  const { marker } = await show('a\nb\nc', 4);
  expect(marker()).toBeNull();
});

it('shows a long text in parts', async () => {
  const { box, numbers } = await show(long(13_001));
  const count = () => numbers.textContent.split('\n').length;
  expect([count(), box.textContent.includes('3,000 of 13,001 lines')]).toEqual([3_000, true]);
  await fire(named(box, 'Show more'), 'click');
  expect([count(), box.textContent.includes('13,000 of 13,001 lines')]).toEqual([13_000, true]);
  await fire(named(box, 'Show more'), 'click');
  expect([count(), box.querySelector('button')]).toEqual([13_001, null]);
});

it('shows a marked line far below at once', async () => {
  const { numbers } = await show(long(5_000), 4_000);
  expect(numbers.textContent.split('\n').length).toBe(4_100);
});
