import { createElement, type MouseEvent } from 'react';
import { expect, it } from 'vitest';
import { fire, usePage } from '../testing/page.ts';
import { Link } from './link.tsx';

const page = usePage();

async function click(event: object = {}, onClick?: (event: MouseEvent) => void) {
  const box = await page.show(createElement(Link, { to: '/files?a=1', title: 'T', onClick, children: 'Files' }));
  const link = box.querySelector('a') as Element;
  const { defaultPrevented } = await fire(link, 'click', { button: 0, ...event });
  return { link, defaultPrevented, at: location.pathname + location.search };
}

it('goes to its place without loading the page', async () => {
  const { link, defaultPrevented, at } = await click();
  expect([link.getAttribute('href'), link.getAttribute('title'), link.textContent]).toEqual([
    '/base/files?a=1',
    'T',
    'Files',
  ]);
  expect([defaultPrevented, at]).toEqual([true, '/base/files?a=1']);
});

it.each([{ button: 1 }, { metaKey: true }, { ctrlKey: true }, { shiftKey: true }, { altKey: true }])(
  'leaves a click with %j to the browser',
  async (event) => {
    expect(await click(event)).toMatchObject({ defaultPrevented: false, at: '/base/' });
  },
);

it('calls its listener first, which can stop it', async () => {
  let called = 0;
  expect(await click({}, () => void (called += 1))).toMatchObject({ at: '/base/files?a=1' });
  expect(await click({}, (event) => event.preventDefault())).toMatchObject({ defaultPrevented: true });
  expect([called, location.search]).toEqual([1, '?a=1']);
});

it('stays where its listener stops it', async () => {
  expect((await click({}, (event) => event.preventDefault())).at).toBe('/base/');
});
