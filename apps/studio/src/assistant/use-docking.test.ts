import { act } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { usePage } from '../testing/page.ts';
import type { Kept } from './kept.ts';
import { media, useDocking } from './testing-media.ts';

const page = usePage();
const [WIDE, ROOMY] = [media('(min-width: 1280px)'), media('(min-width: 1600px)')];
beforeEach(() => {
  WIDE.matches = true;
  ROOMY.matches = true;
});

async function open({ isOpen = true, isDocked = undefined as boolean | undefined } = {}) {
  const written: boolean[] = [];
  const kept = {
    readIsDocked: () => isDocked,
    writeIsDocked: (on: boolean) => void written.push(on),
  } as unknown as Kept;
  const hook = await page.hook(() => useDocking(kept, isOpen, 400));
  const root = () => [
    document.documentElement.style.getPropertyValue('--docked') ?? '',
    document.documentElement.dataset['docked'],
  ];
  return { hook, written, root };
}
const WIDTH = 'min(400px, max(20rem, 100vw - 56.5rem))';

it('begins beside the canvas in a wide window, with room of its width', async () => {
  const { hook, root } = await open();
  expect([hook.current.isDocked, hook.current.dockedWidth, root()]).toEqual([true, WIDTH, [WIDTH, 'roomy']]);
  hook.leave();
  expect(document.documentElement.dataset['docked']).toBeUndefined();
});

it('floats over the canvas once the user wants it', async () => {
  const { hook, written, root } = await open();
  await act(async () => hook.current.toggle?.());
  expect([hook.current.isDocked, written, root()[1]]).toEqual([false, [false], undefined]);
  await act(async () => hook.current.toggle?.());
  expect([hook.current.isDocked, written]).toEqual([true, [false, true]]);
  expect((await open({ isDocked: false })).hook.current.isDocked).toBe(false);
});

it('has no room in a narrow window, and follows its width', async () => {
  const { hook, root } = await open();
  WIDE.matches = false;
  await act(async () => void WIDE.dispatchEvent(new Event('change')));
  expect([hook.current.isDocked, hook.current.toggle]).toEqual([false, undefined]);
  WIDE.matches = true;
  ROOMY.matches = false;
  await act(async () => void ROOMY.dispatchEvent(new Event('change')));
  expect([hook.current.isDocked, root()[1]]).toEqual([true, 'tight']);
});

it('leaves no room while it is closed', async () => {
  expect((await open({ isOpen: false })).root()[1]).toBeUndefined();
});
