import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { templatesQuery } from '../api/flows.ts';
import { useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts } from '../ui/toast.tsx';
import { useSampleFiles } from './use-sample-files.ts';

const server = useFakeApi();
const uploads = useFakeUploads();
const page = usePage();
beforeEach(dismissToasts);

async function open(name: string | undefined) {
  const client = testClient();
  const templates = [
    { name: 'with', files: { 'a.txt': 'A' } },
    { name: 'without', files: {} },
  ];
  client.setQueryData(templatesQuery.queryKey, templates as never);
  client.setQueryData(['files', 'x'], {});
  return { client, hook: await page.hook(() => useSampleFiles(name), inClient(client)) };
}

it.each([
  ['with', 'Adds a.txt to your files.'],
  ['without', undefined],
  ['other', undefined],
  [undefined, undefined],
])('says which files the template %s has', async (name, text) => {
  expect((await open(name)).hook.current.text).toBe(text);
});

it('adds the files, and reads the list again', async () => {
  const { client, hook } = await open('with');
  const added = act(async () => hook.current.add());
  await vi.waitFor(() => expect(uploads.length).toBe(1));
  uploads[0]?.end(200, '{}');
  await added;
  expect(isInvalid(client, ['files', 'x'])).toBe(true);
});

it('goes on where a file cannot be added, and adds nothing where there is none', async () => {
  const { client, hook } = await open('with');
  const added = act(async () => hook.current.add());
  await vi.waitFor(() => expect(uploads.length).toBe(1));
  uploads[0]?.end(507, JSON.stringify({ error: { code: 'quota', message: 'No space.' } }));
  await added;
  expect(isInvalid(client, ['files', 'x'])).toBe(true);
  const none = await open('without');
  await act(async () => none.hook.current.add());
  expect([uploads.length, isInvalid(none.client, ['files', 'x']), server.requests]).toEqual([1, false, []]);
});
