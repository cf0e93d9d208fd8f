import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { PageBoundary } from './page-boundary.tsx';

const page = usePage();

it('shows its page', async () => {
  expect((await page.show(createElement(PageBoundary, { children: 'Fine' }))).textContent).toBe('Fine');
});

it('says that a page failed, and loads it again', async () => {
  const { error } = console;
  console.error = () => undefined;
  const Broken = () => {
    throw new Error('chunk is gone');
  };
  const box = await page.show(createElement(PageBoundary, { children: createElement(Broken) }));
  console.error = error;
  expect([box.querySelector('h1')?.textContent, box.textContent]).toEqual([
    'This page failed',
    'This page failedA newer version of Croft may have replaced it. Reload the page.Reload',
  ]);
  const reload = vi.fn();
  vi.stubGlobal('location', Object.assign(new URL(location.href), { reload }));
  await fire(named(box, 'Reload'), 'click');
  expect(reload).toHaveBeenCalledOnce();
});
