import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { useConfirmed } from './use-confirmed.ts';

const page = usePage();
beforeEach(dismissToasts);

async function open(act_: (item: string) => Promise<unknown>, done?: string) {
  const refresh = vi.fn(() => Promise.resolve());
  const options = { act: act_, refresh, ...(done !== undefined && { done }) };
  const hook = await page.hook(() => useConfirmed<string>(options), inClient(testClient()));
  const confirm = () => act(async () => void hook.current.dialog.onConfirm());
  const toasts = async () => (await page.show(createElement(Toaster))).textContent;
  return { hook, refresh, confirm, toasts };
}

it('acts on the item that the dialog is about, once it is confirmed', async () => {
  const calls: string[] = [];
  const { hook, refresh, confirm, toasts } = await open(async (item) => void calls.push(item), 'Deleted.');
  await confirm();
  await act(async () => hook.current.ask('a'));
  expect([hook.current.item, calls, hook.current.dialog.busy]).toEqual(['a', [], false]);
  await confirm();
  expect([calls, hook.current.item, refresh.mock.calls.length, await toasts()]).toEqual([
    ['a'],
    undefined,
    1,
    'Deleted.',
  ]);
});

it('does nothing where the dialog is closed', async () => {
  const calls: string[] = [];
  const { hook, confirm } = await open(async (item) => void calls.push(item));
  await act(async () => hook.current.ask('a'));
  await act(async () => hook.current.dialog.onClose());
  expect(hook.current.item).toBeUndefined();
  await confirm();
  expect(calls).toEqual([]);
});

it('is busy meanwhile, then says what failed and shows the state of the server', async () => {
  let fail: (error: Error) => void = () => undefined;
  const { hook, refresh, confirm, toasts } = await open(() => new Promise((_, reject) => (fail = reject)), 'Deleted.');
  await act(async () => hook.current.ask('a'));
  await confirm();
  await vi.waitFor(() => expect(hook.current.dialog.busy).toBe(true));
  expect(hook.current.item).toBe('a');
  await act(async () => fail(new Error('It is in use.')));
  await vi.waitFor(() => expect([hook.current.item, refresh.mock.calls.length]).toEqual([undefined, 1]));
  expect(await toasts()).not.toContain('Deleted.');
  expect(await toasts()).not.toBe('');
});

it('leaves the dialog of another item open that was opened meanwhile', async () => {
  let answer: (value: unknown) => void = () => undefined;
  const { hook, refresh, confirm } = await open(() => new Promise((resolve) => (answer = resolve)));
  await act(async () => hook.current.ask('a'));
  await confirm();
  await act(async () => hook.current.dialog.onClose());
  await act(async () => hook.current.ask('b'));
  await act(async () => answer(undefined));
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledOnce());
  expect(hook.current.item).toBe('b');
});
