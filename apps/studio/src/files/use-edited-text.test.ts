import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { fire, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts } from '../ui/toast.tsx';
import { useEditedText } from './use-edited-text.ts';

const server = useFakeApi();
const uploads = useFakeUploads();
const page = usePage();
beforeEach(dismissToasts);
const FILE = 'GET /api/v1/files/content?path=a.txt';
const CHANGED = '{"error":{"code":"changed","message":"x"}}';

async function open(text = 'old\r\n') {
  const stored = (content: string, tag: string) => () => new Response(content, { headers: { ETag: tag } });
  server.answer(FILE, stored(text, '"1"'));
  const calls: unknown[] = [];
  const hook = await page.hook(
    () =>
      useEditedText(
        'a.txt',
        async (undo) => void calls.push(['saved', undo]),
        () => calls.push('closed'),
      ),
    inClient(testClient()),
  );
  await vi.waitFor(() => expect(hook.current.isLoaded).toBe(true));
  const type = (next: string) => act(async () => hook.current.setText(next));
  const submit = async () => {
    const before = uploads.length;
    await act(async () => hook.current.submit());
    if (uploads.length > before) await vi.waitFor(() => expect(hook.current.isSaving).toBe(true));
    return uploads.at(-1);
  };
  const end = async (status: number, body: string) => {
    await act(async () => uploads.at(-1)?.end(status, body));
    await vi.waitFor(() => expect(hook.current.isSaving).toBe(false));
  };
  return { hook, calls, type, submit, end, stored };
}

it('saves a changed text in place of the file that was read, with its line ends', async () => {
  const { hook, calls, type, submit, end } = await open();
  expect([hook.current.text, hook.current.isChanged, await submit()]).toEqual(['old\n', false, undefined]);
  await type('new\n');
  const upload = await submit();
  expect([await upload?.body?.text(), upload?.headers['If-Match']]).toEqual(['new\r\n', '"1"']);
  await submit();
  expect(uploads).toHaveLength(1);
  await end(200, '{"undo":"u1"}');
  await vi.waitFor(() => expect(calls).toEqual(['closed', ['saved', 'u1']]));
});

it('replaces a file that changed meanwhile only where the person decides so', async () => {
  const { hook, type, submit, end } = await open();
  await type('mine');
  await submit();
  await end(409, CHANGED);
  expect(hook.current.isConflict).toBe(true);
  await submit();
  expect(uploads).toHaveLength(1);
  await act(async () => hook.current.overwrite());
  expect(uploads.at(-1)?.headers['If-Match']).toBeUndefined();
});

it('reads the file of now in place of the changes, and keeps them where it cannot be read', async () => {
  const { hook, type, submit, end, stored } = await open();
  await type('mine');
  await submit();
  await end(409, CHANGED);
  server.answer(FILE, refusal(500, 'broken'));
  await act(() => hook.current.reload());
  expect([hook.current.text, hook.current.isConflict]).toEqual(['mine', true]);
  await vi.waitFor(() => expect((hook.current.problem as Error).message).toBe('The server says broken.'));
  server.answer(FILE, stored('theirs', '"2"'));
  await act(() => hook.current.reload());
  await vi.waitFor(() => expect([hook.current.text, hook.current.isConflict]).toEqual(['theirs', false]));
  await type('next');
  expect((await submit())?.headers['If-Match']).toBe('"2"');
});

it('says why it was not saved, and lets the person try again', async () => {
  const { hook, type, submit, end } = await open();
  await type('mine');
  await submit();
  await end(507, '{"error":{"code":"quota","message":"The disk is full."}}');
  expect([hook.current.isConflict, (hook.current.saveError as Error).message]).toEqual([false, 'The disk is full.']);
  await submit();
  expect(uploads).toHaveLength(2);
});

it('asks before changes are lost, until something is typed again', async () => {
  const { hook, calls, type } = await open();
  await type('mine');
  await act(async () => hook.current.leave());
  expect([hook.current.isLeaving, calls]).toEqual([true, []]);
  expect((await fire(window, 'beforeunload')).defaultPrevented).toBe(true);
  await type('mine too');
  expect(hook.current.isLeaving).toBe(false);
  await type('old\n');
  await act(async () => hook.current.leave());
  expect(calls).toEqual(['closed']);
});
