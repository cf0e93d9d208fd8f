import { expect, it } from 'vitest';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { settle } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { addSampleFiles, sampleFilesText } from './sample-files.ts';

const uploads = useFakeUploads();
usePage();

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
  const added = addSampleFiles({ files: { 'a.txt': 'A', 'b.txt': 'B' } });
  await end(409, { error: { code: 'exists', message: 'It exists.' } });
  await end(200, { path: 'b.txt' });
  await added;
  expect(await Promise.all(uploads.map(async ({ url, body }) => [url, await body?.text()]))).toEqual([
    [expect.stringContaining('path=a.txt'), 'A'],
    [expect.stringContaining('path=b.txt'), 'B'],
  ]);
  for (const { url } of uploads) expect(url).toMatch(/overwrite=0&permanent=0&by=template/);
});

it('fails where a file cannot be added for another reason', async () => {
  const added = addSampleFiles({ files: { 'a.txt': 'A', 'b.txt': 'B' } });
  const failed = expect(added).rejects.toMatchObject({ code: 'quota' });
  await end(507, { error: { code: 'quota', message: 'No space.' } });
  await failed;
  expect(uploads.length).toBe(1);
});
