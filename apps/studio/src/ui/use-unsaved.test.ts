import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, usePage } from '../testing/page.ts';
import { useUnsaved } from './use-unsaved.ts';

const page = usePage();
const isAsked = async () => (await fire(window, 'beforeunload')).defaultPrevented;

it('closes at once without changes, and asks with changes', async () => {
  const onClose = vi.fn();
  const same = await page.hook(() => useUnsaved(false, onClose));
  await act(async () => same.current.leave());
  expect([same.current.isLeaving, onClose.mock.calls.length]).toEqual([false, 1]);
  const changed = await page.hook(() => useUnsaved(true, onClose));
  await act(async () => changed.current.leave());
  expect([changed.current.isLeaving, onClose.mock.calls.length]).toEqual([true, 1]);
  await act(async () => changed.current.stay());
  expect(changed.current.isLeaving).toBe(false);
});

it('lets the browser ask before the page closes, while there are changes', async () => {
  let isChanged = false;
  const hook = await page.hook(() => useUnsaved(isChanged, () => undefined));
  expect(await isAsked()).toBe(false);
  isChanged = true;
  hook.again();
  expect(await isAsked()).toBe(true);
  hook.leave();
  expect(await isAsked()).toBe(false);
});
