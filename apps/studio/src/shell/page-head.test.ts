import { act, createElement, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { navigate } from '../routing/location.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { PageHead } from './page-head.tsx';

const page = usePage();

it('has a title, and what else is given', async () => {
  const box = await page.show(
    createElement(PageHead, { title: 'Files', about: 'Yours', actions: 'New', beside: 'Star' }),
  );
  await expect.poll(() => outline(box)).toEqual(['div Star', 'h1[tabindex=-1] Files', 'p Yours', 'div New']);
  expect([box.querySelector('h1')?.textContent, box.textContent, document.title]).toEqual([
    'Files',
    'FilesStarYoursNew',
    'Files · Croft',
  ]);
  const bare = await page.show(createElement(PageHead, { title: 'Runs' }));
  expect([bare.textContent, bare.querySelectorAll('p').length, document.title]).toEqual(['Runs', 0, 'Runs · Croft']);
  expect(bare.firstElementChild?.children.length).toBe(1);
});

it('shows the whole title on hover where a phone has one line for it', async () => {
  const titleOf = async (isShort: boolean) => {
    const title = (await page.show(createElement(PageHead, { title: 'A long title', isShort }))).querySelector('h1');
    return [title?.getAttribute('title') ?? null, title?.className.includes('truncate')];
  };
  expect([await titleOf(true), await titleOf(false)]).toEqual([
    ['A long title', true],
    [null, false],
  ]);
});

it('takes the focus after a change of page, not after a change of title', async () => {
  const focus = vi.spyOn(HTMLElement.prototype, 'focus').mockImplementation(() => undefined);
  let rename: (title: string) => void = () => undefined;
  const Head = () => {
    const [title, setTitle] = useState('One');
    rename = setTitle;
    return createElement(PageHead, { title });
  };
  await act(async () => navigate('/a'));
  focus.mockClear();
  await page.show(createElement(Head));
  expect(focus.mock.calls).toEqual([[{ preventScroll: true }]]);
  await act(async () => rename('Two'));
  expect([focus.mock.calls.length, document.title]).toEqual([1, 'Two · Croft']);
  await act(async () => navigate('/b'));
  expect(focus).toHaveBeenCalledTimes(2);
  focus.mockRestore();
});
