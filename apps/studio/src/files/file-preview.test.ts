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
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Preview of a.txt][tabindex=-1]',
      'button[title=Back to the folder][aria-label=Back to the folder][type=button]',
      'icon arrow-left 18',
      'icon file-text 18',
      'bdi a.txt',
      'p 10 B',
      'button[title=Edit a.txt][aria-label=Edit a.txt][type=button]',
      'icon file-pen 18',
      'a[href=/base/settings/activity?path=d%2Fa.txt][title=Changes][aria-label=Changes of a.txt]',
      'icon rotate-ccw-clock 18',
      'a[title=Download][aria-label=Download a.txt][download=a.txt][href=http://croft.test/base/api/v1/files/content?path=d%2Fa.txt&download=1]',
      'icon download 18',
      'button[title=Close the preview][aria-label=Close the preview][type=button]',
      'icon x 18',
      'div[tabindex=0][aria-label=Text of a.txt][role=region]',
      'span[aria-hidden=true]',
      'pre[aria-hidden=true] 1',
      'pre text of it',
    ]);
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

it('waits for the folder', async () => {
  const { box } = await show(() => new Promise(() => undefined));
  expect(box.textContent).toBe('');
});

it('goes into a folder instead', async () => {
  const { box } = await show(listing({ ...FILE, type: 'dir' }));
  await vi.waitFor(() => expect(location.pathname + location.search).toBe('/base/files?dir=d%2Fa.txt'));
  expect(box.textContent).toBe('');
});
