import { createElement } from 'react';
import { expect, it } from 'vitest';
import { folderPages } from '../api/files.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { MountNotice } from './mount-notice.tsx';
import { BY_NAME } from './sort-entries.ts';

const page = usePage();

async function show(dir: string, more: { readOnly?: boolean; hidesEntry?: boolean }) {
  const client = testClient();
  const mounts = [{ name: 'shared', readOnly: false, hidesEntry: false, ...more }];
  client.setQueryData(folderPages('', BY_NAME).queryKey, {
    pages: [{ mounts, entries: [] }],
    pageParams: [''],
  } as never);
  return (await page.show(inClient(client)(createElement(MountNotice, { dir })))).textContent;
}

it('says that files are read-only, where they are', async () => {
  expect(await show('shared/a', { readOnly: true })).toContain('read-only here');
  expect([await show('shared', {}), await show('mine', { readOnly: true })]).toEqual(['', '']);
});

it('says at the top that a mount hides an entry', async () => {
  expect(await show('', { hidesEntry: true })).toContain('“shared” is hidden');
  expect([await show('', {}), await show('shared', { hidesEntry: true })]).toEqual(['', '']);
});
