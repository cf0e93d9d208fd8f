import { createElement } from 'react';
import { afterEach, expect, it } from 'vitest';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { addSampleFiles, sampleFilesText } from './sample-files.ts';

const uploads = useFakeUploads();
const server = useFakeApi();
const page = usePage();
const CONTENT = 'GET /api/v1/files/content?path=a.txt';
const text = (content: string) => () => new Response(content, { headers: { etag: '"1"' } });

afterEach(dismissToasts);

it('says which files a template adds', () => {
  expect([sampleFilesText({ files: {} }), sampleFilesText({ files: { 'a.txt': '', 'b.txt': '' } })]).toEqual([
    undefined,
    'Adds a.txt and b.txt to your files.',
  ]);
});

async function end(status: number, body: object) {
  await settle();
  uploads.at(-1)?.end(status, JSON.stringify(body));
  await settle();
}

it('adds them one after the other, and keeps files that exist', async () => {
  server.answer(CONTENT, text('A'));
  const toasts = await page.show(createElement(Toaster));
  const added = addSampleFiles({ files: { 'a.txt': 'A', 'b.txt': 'B' } });
  await end(409, { error: { code: 'exists', message: 'It exists.' } });
  await end(200, { path: 'b.txt' });
  await added;
  expect(await Promise.all(uploads.map(async ({ url, body }) => [url, await body?.text()]))).toEqual([
    [expect.stringContaining('path=a.txt'), 'A'],
    [expect.stringContaining('path=b.txt'), 'B'],
  ]);
  expect(toasts.textContent).toBe('');
  for (const { url } of uploads) expect(url).toMatch(/overwrite=0&permanent=0&by=template/);
});

it('fails where a file cannot be added for another reason', async () => {
  const added = addSampleFiles({ files: { 'a.txt': 'A', 'b.txt': 'B' } });
  const failed = expect(added).rejects.toMatchObject({ code: 'quota' });
  await end(507, { error: { code: 'quota', message: 'No space.' } });
  await failed;
  expect(uploads.length).toBe(1);
});

it.each([
  ['another content', text('mine')],
  ['content that cannot be read', refusal(404, 'not_found')],
])('says that an own file stayed, with %s', async (_, answer) => {
  server.answer(CONTENT, answer);
  const toasts = await page.show(createElement(Toaster));
  const added = addSampleFiles({ files: { 'a.txt': 'A' } });
  await end(409, { error: { code: 'exists', message: 'It exists.' } });
  await added;
  await settle();
  expect(toasts.textContent).toContain(
    'Your own a.txt stayed. The template fits other content: check its columns and fields.',
  );
});
