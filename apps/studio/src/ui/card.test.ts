import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { Card, CardBody, CardHead } from './card.tsx';

const page = usePage();

it('is a section with its attributes', async () => {
  const box = await page.show(createElement(Card, { 'aria-label': 'Keys', className: 'p-9', children: 'inside' }));
  await expect.poll(() => outline(box)).toEqual(['section[aria-label=Keys] inside']);
  const card = box.querySelector('section') as Element;
  expect([card.getAttribute('aria-label'), card.textContent]).toEqual(['Keys', 'inside']);
  expect(card.className).toMatch(/bg-surface.* p-9$/);
});

it('has a title, and a description and an action where they are given', async () => {
  const box = await page.show(createElement(CardHead, { title: 'Keys', about: 'For programs', action: 'New' }));
  await expect.poll(() => outline(box)).toEqual(['div New', 'h2 Keys', 'p For programs']);
  expect([box.querySelector('h2')?.textContent, box.querySelector('p')?.textContent]).toEqual(['Keys', 'For programs']);
  expect(box.textContent).toBe('KeysFor programsNew');
  const short = await page.show(createElement(CardHead, { title: 'Keys' }));
  expect([short.textContent, short.querySelector('p')]).toEqual(['Keys', null]);
  const sizeOf = (each: Element) => each.querySelector('h2')?.parentElement?.className;
  expect(sizeOf(short)).not.toBe(sizeOf(box));
});

it('has a body with padding and attributes', async () => {
  const box = await page.show(createElement(CardBody, { id: 'it', className: 'grid', children: 'x' }));
  const body = box.querySelector('#it') as Element;
  expect(body.className).toMatch(/px-5.* grid$/);
  expect(body.textContent).toBe('x');
});
