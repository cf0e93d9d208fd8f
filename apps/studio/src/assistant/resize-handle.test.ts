import { act, createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fire, usePage } from '../testing/page.ts';
import type { Kept } from './kept.ts';
import { ResizeHandle, usePanelSize } from './resize-handle.tsx';

const page = usePage();
beforeEach(() => {
  vi.stubGlobal('innerWidth', 1_000);
  vi.stubGlobal('innerHeight', 800);
});

it('keeps a size that fits into the window', async () => {
  const written: unknown[] = [];
  const kept = (size?: object) =>
    ({ readSize: () => size, writeSize: (next: unknown) => void written.push(next) }) as unknown as Kept;
  const first = await page.hook(() => usePanelSize(kept()));
  expect(first.current.size).toEqual({ width: 400, height: 620 });
  const old = await page.hook(() => usePanelSize(kept({ width: 9_000, height: 1 })));
  expect(old.current.size).toEqual({ width: 968, height: 360 });
  await act(async () => old.current.resize({ width: 1, height: 9_000 }));
  expect([old.current.size, written]).toEqual([{ width: 320, height: 768 }, [{ width: 320, height: 768 }]]);
});

async function show() {
  const onResize = vi.fn();
  const box = await page.show(createElement(ResizeHandle, { size: { width: 400, height: 600 }, onResize }));
  const handle = box.querySelector('button') as HTMLButtonElement;
  return { handle, onResize };
}

it.each([
  ['ArrowLeft', { width: 432, height: 600 }],
  ['ArrowRight', { width: 368, height: 600 }],
  ['ArrowUp', { width: 400, height: 632 }],
  ['ArrowDown', { width: 400, height: 568 }],
])('is resized by %s', async (key, size) => {
  const { handle, onResize } = await show();
  expect(handle.getAttribute('aria-label')).toBe('Resize the assistant with the arrow keys');
  expect([(await fire(handle, 'keydown', { key })).defaultPrevented, onResize.mock.calls]).toEqual([true, [[size]]]);
});

it('leaves other keys alone', async () => {
  const { handle, onResize } = await show();
  expect([(await fire(handle, 'keydown', { key: 'a' })).defaultPrevented, onResize.mock.calls]).toEqual([false, []]);
});

it('is resized by dragging, until the pointer is released', async () => {
  const { handle, onResize } = await show();
  const setPointerCapture = vi.fn();
  Object.assign(handle, { setPointerCapture });
  await fire(handle, 'pointerdown', { clientX: 100, clientY: 50, pointerId: 7 });
  await fire(handle, 'pointermove', { clientX: 90, clientY: 70 });
  await fire(handle, 'lostpointercapture');
  await fire(handle, 'pointermove', { clientX: 0, clientY: 0 });
  expect([setPointerCapture.mock.calls, onResize.mock.calls]).toEqual([[[7]], [[{ width: 410, height: 580 }]]]);
});
