import { act, createElement, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { useUserUploads } from './uploads-context.ts';
import { Uploads } from './uploads.tsx';

useFakeApi();
const uploads = useFakeUploads();
const page = usePage();
beforeEach(dismissToasts);

/** A page that picks a file, and another one. */
async function show() {
  let leave: () => void = () => undefined;
  let add: (name: string) => Promise<void> = async () => undefined;
  const FilesPage = () => {
    const user = useUserUploads();
    add = (name) => user.add('', { files: [{ path: name, file: new File(['x'], name) }], unreadable: 0, isCut: false });
    return null;
  };
  const Pages = () => {
    const [isFiles, setIsFiles] = useState(true);
    leave = () => setIsFiles(false);
    return isFiles ? createElement(FilesPage) : 'Flows';
  };
  const box = await page.show(inClient(testClient())(createElement(Uploads, { children: createElement(Pages) })));
  const toaster = await page.show(createElement(Toaster));
  return { box, toaster, pick: (name: string) => act(() => add(name)), leave: () => act(async () => leave()) };
}

it('goes on, warns, asks and offers Undo after the page Files is left', async () => {
  const { box, toaster, pick, leave } = await show();
  await pick('a.txt');
  await leave();
  await vi.waitFor(() => expect(box.querySelector('[aria-label=Uploads]')?.textContent).toContain('Uploading 1 of 1'));
  expect((await fire(window, 'beforeunload')).defaultPrevented).toBe(true);
  uploads[0]?.end(409, '{"error":{"code":"exists","message":"It exists."}}');
  await vi.waitFor(() => expect(box.querySelector('dialog')?.textContent).toContain('a.txt'));
  await fire(named(box, 'Replace'), 'click');
  await vi.waitFor(() => expect(uploads).toHaveLength(2));
  uploads[1]?.end(200, '{"undo":"u1"}');
  await vi.waitFor(() => expect(toaster.textContent).toBe('Replaced “a.txt”.Undo'));
});

it('shows a failure after the page Files is left', async () => {
  const { box, pick, leave } = await show();
  await pick('a.txt');
  await leave();
  uploads[0]?.end(507, '{"error":{"code":"quota_exceeded","message":"Your files are full."}}');
  await vi.waitFor(() => expect(box.textContent).toContain('1 not uploaded'));
  expect(box.textContent).toContain('Your files are full.');
});
