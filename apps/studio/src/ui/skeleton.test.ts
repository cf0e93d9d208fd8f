import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { Skeleton, SkeletonLines } from './skeleton.tsx';

const page = usePage();

it('is decoration of a given size', async () => {
  const shape = (await page.show(createElement(Skeleton, { className: 'h-7' }))).firstElementChild;
  expect([shape?.getAttribute('aria-hidden'), shape?.className.endsWith(' h-7')]).toEqual(['true', true]);
});

it('announces what loads, with lines of three lengths', async () => {
  const box = await page.show(createElement(SkeletonLines, { label: 'Loading', lines: 6 }));
  const line = 'span[aria-hidden=true]';
  await expect
    .poll(() => outline(box))
    .toEqual(['div[role=status]', 'span Loading', line, line, line, line, line, line]);
  expect([box.querySelector('[role=status]')?.textContent, box.querySelector('.sr-only')?.textContent]).toEqual([
    'Loading',
    'Loading',
  ]);
  const lines = [...box.querySelectorAll('[aria-hidden]')].map(({ className }) => /w-\S+$/.exec(className)?.[0]);
  expect(lines).toEqual(['w-full', 'w-4/5', 'w-2/5', 'w-4/5', 'w-full', 'w-2/5']);
  const short = await page.show(createElement(SkeletonLines, { label: 'Loading' }));
  expect(short.querySelectorAll('[aria-hidden]').length).toBe(3);
});
