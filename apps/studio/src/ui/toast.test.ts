import { act, createElement } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../api/request.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { dismissToasts, toast, ToastCard, Toaster, toastError } from './toast.tsx';

const page = usePage();
beforeEach(dismissToasts);
afterEach(() => void vi.useRealTimers());
const show = (...texts: string[]) => act(async () => texts.forEach((text) => toast({ text })));

it('shows the newest three, until they are dismissed', async () => {
  const box = await page.show(createElement(Toaster));
  await expect.poll(() => outline(box)).toEqual(['section[aria-label=Notifications]', 'div[role=status]']);
  await show('a', 'b', 'c', 'd');
  expect([...box.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual(['b', 'c', 'd']);
  await fire(named(box, 'Dismiss'), 'click');
  expect([...box.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual(['c', 'd']);
  await act(async () => dismissToasts());
  expect(box.querySelectorAll('p')).toHaveLength(0);
});

it('is taken back by who showed it, and alone', async () => {
  const box = await page.show(createElement(Toaster));
  let hide: () => void = () => undefined;
  await act(async () => void (hide = toast({ text: 'mine' })));
  await show('other');
  await act(async () => hide());
  expect(box.querySelector('[role=status]')?.textContent).toBe('other');
});

it('carries out its action once and goes', async () => {
  const calls: string[] = [];
  const box = await page.show(createElement(Toaster));
  await act(async () => void toast({ text: 'Deleted.', action: { label: 'Undo', run: () => calls.push('undo') } }));
  await fire(named(box, 'Undo'), 'click');
  expect([calls, box.querySelectorAll('p').length]).toEqual([['undo'], 0]);
});

it('says why something failed', async () => {
  const box = await page.show(createElement(Toaster));
  await act(async () => toastError(new ApiError('x', 'It is full.', 507)));
  expect(box.textContent).toBe('It is full.');
});

it('goes after five seconds, after ten with an action, and never while it is held', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const card = async (message: Parameters<typeof ToastCard>[0]['message']) => {
    const onGone = vi.fn();
    const box = await page.show(createElement(ToastCard, { message, onGone }));
    return { onGone, element: box.firstElementChild as Element };
  };
  const plain = await card({ text: 'a' });
  const withAction = await card({ text: 'b', action: { label: 'x', run: () => undefined } });
  const long = await card({ text: 'c', stayMs: Number.POSITIVE_INFINITY });
  const held = await card({ text: 'd' });
  await fire(held.element, 'focusin');
  const after = (ms: number) => {
    vi.advanceTimersByTime(ms);
    return [plain, withAction, long, held].map(({ onGone }) => onGone.mock.calls.length);
  };
  expect(after(4_999)).toEqual([0, 0, 0, 0]);
  expect(after(1)).toEqual([1, 0, 0, 0]);
  expect(after(5_000)).toEqual([1, 1, 0, 0]);
  await fire(held.element, 'focusout');
  expect(after(5_000)).toEqual([1, 1, 0, 1]);
});
