import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { FileEntry } from '../api/files.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, isInvalid, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { useFileActions } from './use-file-actions.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const DELETE = 'POST /api/v1/files/delete';
const entry = (path: string) => ({ path, name: path.split('/').at(-1), type: 'file' }) as FileEntry;

async function open() {
  const client = testClient();
  for (const key of [['files', 'list', ''], ['files', 'text', 'a', '1'], ['flows']]) client.setQueryData(key, {});
  const hook = await page.hook(useFileActions, inClient(client));
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
  expect([toasts.textContent?.includes('Deleted “a.txt”.'), isInvalid(client, ['files', 'list', ''])]).toEqual([
    true,
    true,
  ]);
  expect([isInvalid(client, ['files', 'text', 'a', '1']), isInvalid(client, ['flows'])]).toEqual([false, false]);
  await fire(named(toasts, 'Undo'), 'click');
  await vi.waitFor(() => expect(toasts.textContent).toContain('Restored.'));
  expect(server.requests.at(-1)).toBe('POST /api/v1/files/undo {"undo":"u1"}');
});

it('restores by Ctrl+Z once, but not in a field, with Shift, or by another key', async () => {
  const { toasts, remove, press } = await open();
  server.answer(DELETE, { undo: 'u1' });
  await remove(['a', 'b']);
  expect(toasts.textContent).toContain('Deleted 2 entries.');
  const field = document.body.appendChild(document.createElement('input'));
  const undone = () => server.requests.filter((each) => each.includes('/undo')).length;
  await press({}, field);
  await press({ shiftKey: true });
  await press({ key: 'y' });
  await press({ ctrlKey: false });
  expect(undone()).toBe(0);
  expect((await press({ ctrlKey: false, metaKey: true })).defaultPrevented).toBe(true);
  await press();
  expect(undone()).toBe(1);
  await vi.waitFor(() => expect(toasts.textContent).toContain('Restored 2 entries.'));
});

it('restores what is deleted once the server has answered, where Ctrl+Z is pressed before', async () => {
  const { toasts, remove, press } = await open();
  let answer: (value: object) => void = () => undefined;
  server.answer(DELETE, () => new Promise((resolve) => (answer = resolve)));
  const removed = remove(['a']);
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  await press();
  answer({ undo: 'u1' });
  await removed;
  await vi.waitFor(() => expect(toasts.textContent).toContain('Restored.'));
  expect(server.requests.at(-1)).toBe('POST /api/v1/files/undo {"undo":"u1"}');
});

it('deletes 500 entries with each request, and restores them in the opposite order', async () => {
  const { toasts, remove, press } = await open();
  let count = 0;
  server.answer(DELETE, () => ({ undo: `u${++count}` }));
  await remove(Array.from({ length: 501 }, (_, at) => `${at}`));
  expect([count, toasts.textContent?.includes('Deleted 501 entries.')]).toEqual([2, true]);
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
  expect([toasts.textContent?.includes('Deleted “big”.'), toasts.textContent?.includes('Undo')]).toEqual([true, false]);
});

it('says what failed, and offers to restore what was deleted before', async () => {
  const { toasts, remove } = await open();
  let count = 0;
  server.answer(DELETE, () => (++count === 1 ? { undo: 'u1' } : refusal(403, 'forbidden', 'It is read-only.')()));
  await remove(Array.from({ length: 501 }, (_, at) => `${at}`));
  expect(toasts.textContent).toContain('It is read-only.');
  expect(toasts.textContent).toContain('Deleted 500 entries.');
});

it('creates and renames below the folder of the entry', async () => {
  const { hook } = await open();
  let made = '';
  await act(async () => void (made = await hook.current.makeFolder('d', 'new')));
  let renamed = '';
  await act(async () => void (renamed = await hook.current.rename(entry('d/a.txt'), 'b.txt')));
  expect([made, renamed, server.requests]).toEqual([
    'd/new',
    'd/b.txt',
    ['POST /api/v1/files/mkdir {"path":"d/new"}', 'POST /api/v1/files/move {"from":"d/a.txt","to":"d/b.txt"}'],
  ]);
});

it('offers to take a saved text back where the old one was kept', async () => {
  const { hook, toasts } = await open();
  await act(() => hook.current.edited(entry('a.txt'), undefined));
  expect([toasts.textContent?.includes('Saved “a.txt”.'), toasts.textContent?.includes('Undo')]).toEqual([true, false]);
  await act(() => hook.current.edited(entry('a.txt'), 'u1'));
  await fire(named(toasts, 'Undo'), 'click');
  await vi.waitFor(() => expect(toasts.textContent).toContain('The old text was restored.'));
});
