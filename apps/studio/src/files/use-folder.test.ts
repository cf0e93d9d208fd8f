import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { BY_NAME, type Sort } from './sort-entries.ts';
import { useFolder } from './use-folder.ts';

const server = useFakeApi();
const page = usePage();
const BY_SIZE: Sort = { by: 'size', descending: true };
const entry = (name: string, size: number) => ({ name, path: name, type: 'file', size });

async function open(sort: Sort) {
  const hook = await page.hook(() => useFolder('d', sort), inClient(testClient()));
  await vi.waitFor(() => expect(hook.current.isPending).toBe(false));
  return hook;
}
const names = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);
const URL_OF = (sort: string, order: string, cursor = '') =>
  `GET /api/v1/files?path=d&sort=${sort}&order=${order}${cursor && `&cursor=${cursor}`}`;

it('sorts a folder of one page itself', async () => {
  server.answer(URL_OF('name', 'asc'), { entries: [entry('a', 1), entry('b', 2)], total: 2 });
  const { current } = await open(BY_SIZE);
  expect([names(current.entries), current.total, current.hasMore]).toEqual([['b', 'a'], 2, false]);
  expect(server.requests).toHaveLength(1);
});

it('asks the server for another order of a larger folder', async () => {
  server.answer(URL_OF('name', 'asc'), { entries: [entry('a', 1)], total: 9, nextCursor: 'c' });
  server.answer(URL_OF('size', 'desc'), { entries: [entry('z', 9)], total: 9, nextCursor: 'c' });
  const hook = await open(BY_SIZE);
  await vi.waitFor(() => expect(names(hook.current.entries)).toEqual(['z']));
  expect([hook.current.total, hook.current.hasMore]).toEqual([9, true]);
});

it('loads more, and everything, without entries that are on two pages', async () => {
  server.answer(URL_OF('name', 'asc'), { entries: [entry('a', 1), entry('b', 1)], total: 4, nextCursor: 'c1' });
  server.answer(URL_OF('name', 'asc', 'c1'), { entries: [entry('b', 2), entry('c', 1)], total: 4, nextCursor: 'c2' });
  server.answer(URL_OF('name', 'asc', 'c2'), { entries: [entry('d', 1)], total: 4 });
  const hook = await open(BY_NAME);
  await act(async () => hook.current.loadMore());
  await vi.waitFor(() => expect(names(hook.current.entries)).toEqual(['a', 'b', 'c']));
  expect(hook.current.entries[1]?.size).toBe(2);
  let all: readonly { readonly name: string }[] = [];
  await act(async () => void (all = await hook.current.loadAll()));
  expect(names(all)).toEqual(['a', 'b', 'c', 'd']);
  await vi.waitFor(() => expect(hook.current.hasMore).toBe(false));
  expect(server.requests).toHaveLength(3);
});

it('has an error only while nothing is loaded', async () => {
  const hook = await page.hook(() => useFolder('d', BY_NAME), inClient(testClient()));
  await vi.waitFor(() => expect(hook.current.error).toMatchObject({ code: 'offline' }));
  server.answer(URL_OF('name', 'asc'), { entries: [entry('a', 1)], total: 1 });
  await act(async () => hook.current.refetch());
  await vi.waitFor(() => expect(hook.current.entries).toHaveLength(1));
  expect(hook.current.error).toBeUndefined();
});
