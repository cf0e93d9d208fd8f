import { act } from 'react';
import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { useAttachments } from './use-attachments.ts';

useFakeApi();
const uploads = useFakeUploads();
const page = usePage();

async function open() {
  const client = testClient();
  client.setQueryData(['files', 'list', ''], {});
  const hook = await page.hook(useAttachments, inClient(client));
  const upload = (...names: string[]) =>
    act(async () => hook.current.upload(names.map((name) => new File(['x'], name))));
  const end = (at: number, status: number, body = '{}') => act(async () => uploads[at]?.end(status, body));
  const pathOf = (at: number) => new URL(uploads[at]?.url ?? '').searchParams.get('path');
  return { hook, client, upload, end, pathOf };
}
const EXISTS = '{"error":{"code":"exists","message":"It is there."}}';

it('attaches a file of the user once', async () => {
  const { hook } = await open();
  await act(async () => hook.current.add('a.txt'));
  await act(async () => hook.current.add('a.txt'));
  expect(hook.current.paths).toEqual(['a.txt']);
  await act(async () => hook.current.clear());
  expect(hook.current.list).toEqual([]);
});

it('stores a dropped file below a free name, and replaces nothing', async () => {
  const { hook, client, upload, end, pathOf } = await open();
  await upload('a.txt');
  expect([hook.current.isUploading, hook.current.paths, pathOf(0)]).toEqual([true, [], 'uploads/a.txt']);
  expect(new URL(uploads[0]?.url ?? '').search).toContain('overwrite=0&permanent=0');
  await end(0, 409, EXISTS);
  expect(pathOf(1)).not.toBe('uploads/a.txt');
  await end(1, 201);
  expect([hook.current.isUploading, hook.current.paths]).toEqual([false, [pathOf(1)]]);
  expect(isInvalid(client, ['files', 'list', ''])).toBe(true);
});

it('says which file was not stored, and does not attach it', async () => {
  const { hook, upload, end } = await open();
  await upload('a.txt', 'b.txt');
  await end(0, 413, '{"error":{"code":"too_large","message":"It is too large."}}');
  await end(1, 201);
  expect([hook.current.problem, hook.current.paths]).toEqual([
    'a.txt was not uploaded. It is too large.',
    ['uploads/b.txt'],
  ]);
  await act(async () => hook.current.add('c.txt'));
  expect(hook.current.problem).toBeUndefined();
});

it('stops the upload of a file that is left out, without a problem', async () => {
  const { hook, upload } = await open();
  await upload('a.txt');
  const [first] = hook.current.list;
  await act(async () => hook.current.remove(first?.key ?? -1));
  expect([hook.current.list, hook.current.problem, hook.current.isUploading]).toEqual([[], undefined, false]);
});

it('attaches twenty files at most', async () => {
  const { hook, upload } = await open();
  await upload(...Array.from({ length: 21 }, (_, at) => `${at}.txt`));
  expect([uploads.length, hook.current.problem]).toEqual([20, 'Only the first 20 files are attached.']);
});

it('gives up after fifty names', async () => {
  const { hook, upload, end } = await open();
  await upload('a.txt');
  for (let at = 0; at < 50; at++) await end(at, 409, EXISTS);
  expect([uploads.length, hook.current.problem]).toEqual([50, 'a.txt was not uploaded. It is there.']);
});
