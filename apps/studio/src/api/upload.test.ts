import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { upload, type UploadAsk } from './upload.ts';

useFakeApi();
const uploads = useFakeUploads();

function begin(more: Partial<UploadAsk> = {}) {
  const sent: number[] = [];
  const leave = new AbortController();
  const done = upload({
    path: 'a/b.txt',
    body: new Blob(['text']),
    overwrite: false,
    permanent: false,
    onProgress: (bytes) => sent.push(bytes),
    signal: leave.signal,
    ...more,
  });
  const xhr = uploads.at(-1);
  if (!xhr) throw new Error('Nothing was sent.');
  return { done, xhr, sent, leave };
}

it('replaces nothing unless it is asked to', async () => {
  const { done, xhr, sent } = begin();
  expect([xhr.method, xhr.url]).toEqual([
    'PUT',
    'http://croft.test/base/api/v1/files/content?path=a%2Fb.txt&overwrite=0&permanent=0',
  ]);
  expect(xhr.headers).toEqual({ 'X-Croft': '1', 'Content-Type': 'application/octet-stream' });
  xhr.progress(2);
  xhr.end(201, '{"undo":"u1"}');
  expect([await done, sent, await xhr.body?.text()]).toEqual([{ undo: 'u1' }, [2], 'text']);
});

it('says what it may replace: a file with this tag, also one that the trash cannot keep', () => {
  const { xhr } = begin({ overwrite: true, permanent: true, by: 'editor', tag: '"t1"' });
  expect(new URL(xhr.url).search).toBe('?path=a%2Fb.txt&overwrite=1&permanent=1&by=editor');
  expect(xhr.headers['If-Match']).toBe('"t1"');
});

it('throws what the server refuses, with the time to wait', async () => {
  const { done, xhr } = begin();
  xhr.retryAfter = '7';
  xhr.end(409, '{"error":{"code":"exists","message":"It is there."}}');
  await expect(done).rejects.toMatchObject({ code: 'exists', status: 409, retryAfterS: 7 });
  const redirected = begin();
  redirected.xhr.end(302, '');
  await expect(redirected.done).rejects.toMatchObject({ status: 302 });
  const lost = begin();
  lost.xhr.emit('error');
  await expect(lost.done).rejects.toMatchObject({ code: 'offline' });
});

it('stops with its signal, also before it was sent', async () => {
  const { done, leave } = begin();
  leave.abort(new Error('left'));
  await expect(done).rejects.toThrow('left');
  const late = begin({ signal: AbortSignal.abort(new Error('gone')) });
  await expect(late.done).rejects.toThrow('gone');
  expect(late.xhr.body).toBeUndefined();
});

it.each(['{"undo":7}', '<html>'])('is stored, though without undo, where the response is %s', async (body) => {
  const { done, xhr } = begin();
  xhr.end(299, body);
  expect(await done).toEqual({});
});
