import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { FileEntry } from '../api/files.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { useFakeUploads } from '../testing/fake-upload.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { useFileActions } from './use-file-actions.tsx';
import { useUndo } from './use-undo.ts';

const server = useFakeApi();
const uploads = useFakeUploads();
const page = usePage();
beforeEach(dismissToasts);
const DELETE = 'POST /api/v1/files/delete';
const LIST = ['files', 'list', ''];
const entry = (path: string) => ({ path, name: path.split('/').at(-1), type: 'file' }) as FileEntry;

async function open() {
  const client = testClient();
  for (const key of [LIST, ['files', 'text', 'a', '1'], ['flows']]) client.setQueryData(key, {});
  const hook = await page.hook(() => useFileActions(useUndo()), inClient(client));
  const toasts = await page.show(createElement(Toaster));
  for (const each of ['undo', 'mkdir', 'move']) server.answer(`POST /api/v1/files/${each}`, {});
  const remove = (paths: readonly string[], permanent?: boolean) =>
    act(() => hook.current.remove(paths.map(entry), permanent));
  const press = (more: object = {}, target: EventTarget = document.body) =>
    fire(target, 'keydown', { key: 'z', ctrlKey: true, metaKey: false, shiftKey: false, ...more });
  return { client, hook, toasts, remove, press };
}

it('deletes into the trash, and restores by the notification', async () => {
  const { client, toasts, remove } = await open();
  server.answer(DELETE, { undo: 'u1' });
  await remove(['d/a.txt']);
  expect(server.requests).toEqual([`${DELETE} {"paths":["d/a.txt"],"permanent":false}`]);
  expect([toasts.textContent, isInvalid(client, LIST)]).toEqual(['Deleted “a.txt”.Undo', true]);
  expect([isInvalid(client, ['files', 'text', 'a', '1']), isInvalid(client, ['flows'])]).toEqual([false, false]);
  client.setQueryData(LIST, {});
  await fire(named(toasts, 'Undo'), 'click');
  await vi.waitFor(() => expect([toasts.textContent, isInvalid(client, LIST)]).toEqual(['Restored.', true]));
  expect(server.requests.at(-1)).toBe('POST /api/v1/files/undo {"undo":"u1"}');
});

it('restores by Ctrl+Z once, but not in a field, with Shift, or by another key', async () => {
  const { toasts, remove, press } = await open();
  server.answer(DELETE, { undo: 'u1' });
  await remove(['a', 'b']);
  expect(toasts.textContent).toBe('Deleted 2 entries.Undo');
  const undone = () => server.requests.filter((each) => each.includes('/undo')).length;
  for (const each of ['input', 'textarea', 'dialog'])
    await press({}, document.body.appendChild(document.createElement(each)));
  await press({ shiftKey: true });
  await press({ key: 'y' });
  await press({ ctrlKey: false });
  expect(undone()).toBe(0);
  expect((await press({ ctrlKey: false, metaKey: true, key: 'Z' })).defaultPrevented).toBe(true);
  expect((await press()).defaultPrevented).toBe(false);
  expect(undone()).toBe(1);
  await vi.waitFor(() => expect(toasts.textContent).toBe('Restored 2 entries.'));
});

it('restores what is deleted once the server has answered, where Ctrl+Z is pressed before', async () => {
  const { client, toasts, remove, press } = await open();
  let answer: (value: object) => void = () => undefined;
  server.answer(DELETE, () => new Promise((resolve) => (answer = resolve)));
  const removed = remove(['a']);
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  await press();
  answer({ undo: 'u1' });
  await removed;
  await vi.waitFor(() => expect([toasts.textContent, isInvalid(client, LIST)]).toEqual(['Restored.', true]));
  expect(server.requests.at(-1)).toBe('POST /api/v1/files/undo {"undo":"u1"}');
});

it('deletes 500 entries with each request, and restores them in the opposite order', async () => {
  const { toasts, remove, press } = await open();
  let count = 0;
  server.answer(DELETE, () => ({ undo: `u${++count}` }));
  await remove(Array.from({ length: 501 }, (_, at) => `${at}`));
  expect([count, toasts.textContent]).toEqual([2, 'Deleted 501 entries.Undo']);
  await press();
  await vi.waitFor(() =>
    expect(server.requests.slice(2).map((each) => each.slice(-13))).toEqual(['{"undo":"u2"}', '{"undo":"u1"}']),
  );
});

it('asks about what the trash cannot keep, and deletes only that for good', async () => {
  const { hook, toasts, remove } = await open();
  server.answer(DELETE, refusal(409, 'not_undoable', 'It is too large.'));
  await remove(['big']);
  expect(hook.current.unkept).toEqual({ entries: [entry('big')], reason: 'It is too large.' });
  expect(toasts.textContent).toBe('');
  await act(async () => hook.current.forgetUnkept());
  expect(hook.current.unkept).toBeUndefined();
  server.answer(DELETE, {});
  await remove(['big'], true);
  expect(server.requests.at(-1)).toBe(`${DELETE} {"paths":["big"],"permanent":true}`);
  expect(toasts.textContent).toBe('Deleted “big”.');
});

it('says what failed, and offers to restore what was deleted before', async () => {
  const { toasts, remove } = await open();
  let count = 0;
  server.answer(DELETE, () => (++count === 1 ? { undo: 'u1' } : refusal(403, 'forbidden', 'It is read-only.')()));
  await remove(Array.from({ length: 501 }, (_, at) => `${at}`));
  expect(toasts.textContent).toBe('It is read-only.Deleted 500 entries.Undo');
});

it('asks about the rest where the trash keeps a part, and offers no Undo where it kept only a part', async () => {
  const { hook, toasts, remove, press } = await open();
  const paths = Array.from({ length: 501 }, (_, at) => `${at}`);
  let count = 0;
  server.answer(DELETE, () => (++count === 1 ? { undo: 'u1' } : refusal(409, 'not_undoable', 'It is too large.')()));
  await remove(paths);
  expect([toasts.textContent, hook.current.unkept]).toEqual([
    'Deleted 500 entries.Undo',
    { entries: [entry('500')], reason: 'It is too large.' },
  ]);
  act(dismissToasts);
  count = 0;
  server.answer(DELETE, () => (++count === 1 ? { undo: 'u2' } : {}));
  await remove(paths);
  expect(toasts.textContent).toBe('Deleted 501 entries.');
  await press();
  expect(server.requests.at(-1)).toBe('POST /api/v1/files/undo {"undo":"u1"}');
});

it('restores the deletion before one that fails', async () => {
  const { hook, toasts, remove, press } = await open();
  server.answer(DELETE, { undo: 'u1' });
  await remove(['a']);
  server.answer(DELETE, refusal(403, 'forbidden', 'It is read-only.'));
  await remove(['b']);
  expect([toasts.textContent, hook.current.unkept]).toEqual(['Deleted “a”.UndoIt is read-only.', undefined]);
  server.answer('POST /api/v1/files/undo', refusal(404, 'not_found', 'It is gone.'));
  await press();
  await vi.waitFor(() => expect(toasts.textContent).toBe('It is read-only.It is gone.'));
  await press();
  expect(server.requests.filter((each) => each.includes('/undo'))).toEqual(['POST /api/v1/files/undo {"undo":"u1"}']);
});

it('does nothing on Ctrl+Z once the page is left', async () => {
  const { hook, remove, press } = await open();
  server.answer(DELETE, { undo: 'u1' });
  await remove(['a']);
  hook.leave();
  expect((await press()).defaultPrevented).toBe(false);
});

it('downloads a file under its name', async () => {
  const { hook } = await open();
  const link = document.createElement('a');
  const clicks: string[][] = [];
  link.click = () => void clicks.push([link.href, link.download]);
  vi.spyOn(document, 'createElement').mockReturnValueOnce(link);
  hook.current.download(entry('a.txt'));
  expect(clicks).toEqual([['http://croft.test/base/api/v1/files/content?path=a.txt&download=1', 'a.txt']]);
});

it('creates and renames below the folder of the entry', async () => {
  const { client, hook } = await open();
  const paths: unknown[] = [];
  const { makeFolder, makeTextFile, rename } = hook.current;
  const makeText = () => {
    const made = makeTextFile('d', 'new.txt', 'text');
    uploads[0]?.end(201, '{}');
    return made;
  };
  for (const change of [() => makeFolder('d', 'new'), makeText, () => rename(entry('d/a.txt'), 'b.txt')]) {
    client.setQueryData(LIST, {});
    await act(async () => void paths.push(await change(), isInvalid(client, LIST)));
  }
  expect(paths).toEqual(['d/new', true, 'd/new.txt', true, 'd/b.txt', true]);
  expect(server.requests).toEqual([
    'POST /api/v1/files/mkdir {"path":"d/new"}',
    'POST /api/v1/files/move {"from":"d/a.txt","to":"d/b.txt"}',
  ]);
  expect(uploads.map(({ url }) => new URL(url).search)).toEqual(['?path=d%2Fnew.txt&overwrite=0&permanent=0']);
});

it('moves an entry to folders before its new name', async () => {
  const { hook } = await open();
  const paths: string[] = [];
  for (const name of ['old/b.txt', '/b.txt'])
    await act(async () => void paths.push(await hook.current.rename(entry('d/a.txt'), name)));
  expect(paths).toEqual(['d/old/b.txt', 'b.txt']);
  expect(server.requests.at(-1)).toBe('POST /api/v1/files/move {"from":"d/a.txt","to":"b.txt"}');
});

it.each([
  ['b.txt', 'Renamed to “b.txt”.'],
  ['e/b.txt', 'Moved to “d/e”.'],
  ['/b.txt', 'Moved to the top folder.'],
])('offers to move an entry back from %s', async (name, text) => {
  const { hook, toasts } = await open();
  await act(async () => void (await hook.current.rename(entry('d/a.txt'), name)));
  expect(toasts.textContent).toBe(text);
  act(dismissToasts);
  server.answer('POST /api/v1/files/move', { undo: 'm1' });
  await act(async () => void (await hook.current.rename(entry('d/a.txt'), name)));
  expect(toasts.textContent).toBe(`${text}Undo`);
  await fire(named(toasts, 'Undo'), 'click');
  await vi.waitFor(() => expect(toasts.textContent).toBe('Moved back.'));
  expect(server.requests.at(-1)).toBe('POST /api/v1/files/undo {"undo":"m1"}');
});

it('offers to take a saved text back where the old one was kept', async () => {
  const { client, hook, toasts } = await open();
  await act(() => hook.current.edited(entry('a.txt'), undefined));
  expect([toasts.textContent, isInvalid(client, LIST)]).toEqual(['Saved “a.txt”.', true]);
  act(dismissToasts);
  await act(() => hook.current.edited(entry('a.txt'), 'u1'));
  expect(toasts.textContent).toBe('Saved “a.txt”.Undo');
  await fire(named(toasts, 'Undo'), 'click');
  await vi.waitFor(() => expect(toasts.textContent).toBe('The old text was restored.'));
});
