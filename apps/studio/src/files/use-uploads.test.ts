import { act, createElement } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { usePage } from '../testing/page.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import type { PickedFiles } from './picked-files.ts';
import { useUploads } from './use-uploads.ts';

useFakeApi();
const uploads = useFakeUploads();
const page = usePage();
beforeEach(dismissToasts);
afterEach(() => void vi.useRealTimers());

const picked = (more: Partial<PickedFiles> = {}): PickedFiles => ({
  files: [{ path: 'a.txt', file: new File(['a'], 'a.txt') }],
  unreadable: 0,
  isCut: false,
  ...more,
});
const toasts = async () => (await page.show(createElement(Toaster))).textContent;

async function open() {
  const refresh = vi.fn(() => Promise.resolve());
  const { current, leave } = await page.hook(() => useUploads(refresh, () => undefined));
  return { ...current, leave, refresh };
}

it('uploads what was picked into the folder, and looks at it again once after many files', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { add, refresh } = await open();
  const files = ['a.txt', 'b.txt'].map((path) => ({ path, file: new File(['x'], path) }));
  await add('d', picked({ files }));
  expect(uploads.map(({ url }) => new URL(url).searchParams.get('path'))).toEqual(['d/a.txt', 'd/b.txt']);
  for (const each of uploads) each.end(201, '{}');
  await vi.advanceTimersByTimeAsync(399);
  expect(refresh).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(refresh).toHaveBeenCalledOnce();
});

it('says how many files were left out or could not be read', async () => {
  const { add } = await open();
  await act(() => add('', picked({ files: [], isCut: true, unreadable: 1 })));
  expect(await toasts()).toBe('Only the first 0 files are uploaded at once.One file could not be read.');
  dismissToasts();
  await act(() => add('', picked({ files: [], unreadable: 2 })));
  expect(await toasts()).toBe('2 files could not be read.');
  dismissToasts();
  await act(() => add('', picked({ files: [] })));
  expect(await toasts()).toBe('');
});

it('says that it reads a large folder, until it is read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { add } = await open();
  let read: (files: PickedFiles) => void = () => undefined;
  const adding = add('', new Promise((resolve) => (read = resolve)));
  await act(() => vi.advanceTimersByTimeAsync(399));
  expect(await toasts()).toBe('');
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(await toasts()).toBe('Reading the folder …');
  await act(async () => {
    read(picked({ files: [] }));
    await adding;
  });
  expect(await toasts()).toBe('');
});

it('sends none of the files that wait after it is hidden, because another user may sign in', async () => {
  const { add, queue, leave } = await open();
  const files = ['a.txt', 'b.txt', 'c.txt'].map((path) => ({ path, file: new File(['x'], path) }));
  await add('', picked({ files: [...files, { path: 'd', file: undefined }] }));
  leave();
  for (const each of uploads) each.end(201, '{}');
  await vi.waitFor(() => expect(queue.items().map(({ state }) => state)).toEqual(['done', 'done', 'failed', 'failed']));
  expect(uploads).toHaveLength(2);
});
