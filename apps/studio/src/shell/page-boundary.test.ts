import { act, createElement, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { PageBoundary } from './page-boundary.tsx';

const page = usePage();

it('shows its page', async () => {
  expect((await page.show(createElement(PageBoundary, { path: '/files', children: 'Fine' }))).textContent).toBe('Fine');
});

it('says that a page failed, and loads it again', async () => {
  const { error } = console;
  console.error = () => undefined;
  const Broken = () => {
    throw new Error('chunk is gone');
  };
  const box = await page.show(createElement(PageBoundary, { path: '/files', children: createElement(Broken) }));
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

it('renders the page of another path after a failure', async () => {
  const { error } = console;
  console.error = () => undefined;
  const Page = ({ path }: { path: string }) => {
    if (path === '/flows/f1/play') throw new Error('broken');
    return path;
  };
  let go: (path: string) => void = () => undefined;
  const Pages = () => {
    const [path, setPath] = useState('/flows/f1/play');
    go = setPath;
    return createElement(PageBoundary, { path, children: createElement(Page, { path }) });
  };
  const box = await page.show(createElement(Pages));
  console.error = error;
  expect(box.textContent).toContain('This page failed');
  await act(async () => go('/flows/f1'));
  expect(box.textContent).toBe('/flows/f1');
});
