import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { FilePreview } from './file-preview.tsx';

// Loaded before a test waits for it.
import './preview-pane.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => new EventTarget());
});

async function show(entries: unknown, file = 'd/a.txt', line?: number) {
  server.answer('GET /api/v1/files', entries);
  server.answer(
    'GET /api/v1/files/content',
    () => new Response('text of it', { headers: { 'Content-Type': 'text/plain' } }),
  );
  const [onEdit, onClose] = [vi.fn(), vi.fn()];
  const element = createElement(FilePreview, { place: { dir: 'd', line }, file, onEdit, onClose });
  return { box: await page.show(inClient(testClient())(element)), onEdit, onClose };
}
const listing = (...entries: object[]) => ({ entries, mounts: [], total: entries.length, nextCursor: null });
const FILE = { name: 'a.txt', path: 'd/a.txt', type: 'file', size: 10, modifiedAt: null };

it('shows the file once its folder is known', async () => {
  const { box, onEdit, onClose } = await show(listing({ ...FILE, path: 'd/b.txt', size: 99 }, FILE), 'd/a.txt', 1);
  await vi.waitFor(() => expect(box.textContent).toContain('text of it'));
  expect(location.search).toBe('');
  await expect.poll(() => outline(box, 'section')).toEqual(['section[aria-label=Preview of a.txt][tabindex=-1]']);
  expect(named(box, 'Download a.txt').getAttribute('href')).toContain('path=d%2Fa.txt');
  expect([server.requests[0], box.textContent.includes('10 B'), box.querySelector('[style]') !== null]).toEqual([
    'GET /api/v1/files?path=d&sort=name&order=asc',
    true,
    true,
  ]);
  await fire(named(box, 'Edit a.txt'), 'click');
  await fire(named(box, 'Close the preview'), 'click');
  expect([onEdit.mock.calls, onClose.mock.calls.length]).toEqual([[[FILE]], 1]);
});

it('shows a file that the first page of its folder does not list', async () => {
  const { box } = await show(listing());
  await vi.waitFor(() => expect(box.textContent).toContain('text of it'));
});

it('asks for the size of a file that the first page of its folder does not list', async () => {
  server.answer('HEAD /api/v1/files/content', new Response(null, { headers: { 'Content-Length': '2048' } }));
  const { box, onEdit } = await show({ ...listing(), nextCursor: 'c2' });
  await vi.waitFor(() => expect(box.textContent).toContain('text of it'));
  expect(box.textContent).toContain('2.0 KB');
  await fire(named(box, 'Edit a.txt'), 'click');
  expect(onEdit.mock.calls).toEqual([[{ ...FILE, size: 2048 }]]);
});

it('waits for the folder', async () => {
  const { box } = await show(() => new Promise(() => undefined));
  expect(box.textContent).toBe('');
});

it('goes into a folder instead', async () => {
  const { box } = await show(listing({ ...FILE, type: 'dir' }));
  await vi.waitFor(() => expect(location.pathname + location.search).toBe('/base/files?dir=d%2Fa.txt'));
  expect(box.textContent).toBe('');
});
