import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { RunFilesLink } from './run-files-link.tsx';

const server = useFakeApi();
const page = usePage();

async function show(changes: readonly object[]) {
  server.answer('GET /api/v1/activity/changes', { changes, nextCursor: null });
  const box = await page.show(inClient(testClient())(createElement(RunFilesLink, { run: 'r1' })));
  await vi.waitFor(() => expect(server.requests.length).toBe(1));
  return box;
}

it('says how many files a run changed, and leads to the changes', async () => {
  const box = await show([{ tool: 'flow', undo: 'possible', paths: ['a', 'b'] }]);
  await vi.waitFor(() => expect(box.textContent).toBe('Changed 2 files'));
  await expect.poll(() => outline(box)).toEqual(['a[href=/base/settings/activity?run=r1] Changed 2 files']);
  expect([box.querySelector('a')?.getAttribute('href'), server.requests[0]?.includes('run=r1')]).toEqual([
    '/base/settings/activity?run=r1',
    true,
  ]);
});

it('says nothing where it changed none', async () => {
  const box = await show([]);
  await page.show(null);
  expect(box.innerHTML).toBe('');
});
