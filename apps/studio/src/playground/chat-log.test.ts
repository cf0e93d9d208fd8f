import { act, createElement, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fire, leavable, usePage } from '../testing/page.ts';
import { ChatLog } from './chat-log.tsx';

const page = usePage();
let grow: () => void = () => undefined;
const watched: Element[] = [];
beforeEach(() => {
  watched.length = 0;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(listener: () => void) {
        grow = listener;
      }
      observe = (element: Element) => void watched.push(element);
      disconnect() {}
    },
  );
  vi.stubGlobal('getComputedStyle', () => ({ overflowY: 'auto' }));
});

/** A log of which 100 px are seen, with 500 px of messages. */
async function show() {
  let send: () => void = () => undefined;
  const Log = () => {
    const [sent, setSent] = useState(0);
    send = () => setSent(sent + 1);
    return createElement(ChatLog, { sent, children: 'Messages' });
  };
  const box = await page.show(createElement(Log));
  const log = box.querySelector('[role=region]') as HTMLElement;
  const size = { scrollHeight: 500, clientHeight: 100 };
  for (const name of ['scrollHeight', 'clientHeight'] as const)
    Object.defineProperty(log, name, { configurable: true, get: () => size[name] });
  let top = 0;
  Object.defineProperty(log, 'scrollTop', {
    configurable: true,
    get: () => top,
    set(to: number) {
      top = Math.min(to, size.scrollHeight - size.clientHeight);
    },
  });
  const scrollTo = async (to: number) => {
    log.scrollTop = to;
    await fire(document, 'scroll');
  };
  const button = () => box.querySelector('button');
  return { log, size, scrollTo, button, send: () => act(async () => send()), grow: () => act(async () => grow()) };
}

it('is named, and shows its messages', async () => {
  const { log } = await show();
  expect([log.getAttribute('aria-label'), log.textContent, watched.length]).toEqual(['Messages', 'Messages', 2]);
});

it('follows the end while messages grow', async () => {
  const { log, size, button, grow: growNow } = await show();
  await growNow();
  expect(log.scrollTop).toBe(400);
  size.scrollHeight = 700;
  await growNow();
  expect([log.scrollTop, button()]).toEqual([600, null]);
});

it('stays where the reader scrolled up, and goes back by its button', async () => {
  const { log, size, scrollTo, button, grow: growNow } = await show();
  await growNow();
  await scrollTo(300);
  size.scrollHeight = 700;
  await growNow();
  expect([log.scrollTop, button()?.textContent.trim()]).toEqual([300, 'Latest message']);
  await fire(button() as Element, 'click');
  expect([log.scrollTop, button()]).toEqual([600, null]);
  size.scrollHeight = 800;
  await growNow();
  expect(log.scrollTop).toBe(700);
});

it('follows the end again once the reader scrolls down to it', async () => {
  const { log, size, scrollTo, button, grow: growNow } = await show();
  await growNow();
  await scrollTo(300);
  await scrollTo(359);
  expect(button()).not.toBeNull();
  await scrollTo(300);
  await scrollTo(360);
  expect(button()).toBeNull();
  size.scrollHeight = 700;
  await growNow();
  expect(log.scrollTop).toBe(600);
});

it('goes to the end with each message of the reader', async () => {
  const { log, scrollTo, send, grow: growNow } = await show();
  await growNow();
  await scrollTo(100);
  await send();
  expect(log.scrollTop).toBe(400);
});

it('stops to follow with the first turn of the wheel up', async () => {
  const { log, size, grow: growNow } = await show();
  await growNow();
  await fire(log, 'wheel', { deltaY: 1 });
  size.scrollHeight = 600;
  await growNow();
  expect(log.scrollTop).toBe(500);
  await fire(log, 'wheel', { deltaY: -1 });
  size.scrollHeight = 700;
  await growNow();
  expect(log.scrollTop).toBe(500);
});

it('scrolls the page where the log does not scroll by itself', async () => {
  vi.stubGlobal('getComputedStyle', () => ({ overflowY: 'visible' }));
  const root = document.documentElement;
  Object.defineProperty(root, 'scrollHeight', { configurable: true, value: 900 });
  const { log, grow: growNow } = await show();
  await growNow();
  expect([log.scrollTop, root.scrollTop]).toEqual([0, 900]);
});

it('stops to listen when it is removed', async () => {
  const { node, leave } = leavable(createElement(ChatLog, { sent: 0, children: 'Messages' }));
  const calls: unknown[][] = [];
  const watch = (target: EventTarget) => {
    for (const name of ['addEventListener', 'removeEventListener'])
      Object.assign(target, {
        [name]: (kind: string, listener: unknown, options: unknown) => {
          if (kind === 'scroll' || kind === 'wheel') calls.push([name, kind, typeof listener, options]);
        },
      });
  };
  watch(document);
  const disconnect = vi.spyOn(ResizeObserver.prototype, 'disconnect');
  const box = await page.show(node);
  watch(box.querySelector('[role=region]') as Element);
  await leave();
  expect([calls, disconnect.mock.calls.length]).toEqual([
    [
      ['addEventListener', 'scroll', 'function', { capture: true, passive: true }],
      ['removeEventListener', 'wheel', 'function', undefined],
      ['removeEventListener', 'scroll', 'function', { capture: true }],
    ],
    1,
  ]);
});
