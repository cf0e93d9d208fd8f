import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { ShowMore } from './show-more.tsx';

const page = usePage();

it('loads the next page while there is one, one at a time', async () => {
  const fetchNextPage = vi.fn(() => Promise.resolve());
  const show = (hasNextPage: boolean, isFetchingNextPage = false) =>
    page.show(createElement(ShowMore, { query: { hasNextPage, isFetchingNextPage, fetchNextPage } }));
  expect((await show(false)).innerHTML).toBe('');
  await fire(named(await show(true), 'Show more'), 'click');
  expect(fetchNextPage).toHaveBeenCalledOnce();
  await fire((await show(true, true)).querySelector('button') as Element, 'click');
  expect(fetchNextPage).toHaveBeenCalledOnce();
});
