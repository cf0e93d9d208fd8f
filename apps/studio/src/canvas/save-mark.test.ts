import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import type { SaveState } from './edit-state.ts';
import { SaveMark } from './save-mark.tsx';

const page = usePage();

async function show(save: SaveState) {
  const calls: string[] = [];
  const box = await page.show(
    createElement(SaveMark, { save, onRetry: () => calls.push('retry'), onDiscard: () => calls.push('discard') }),
  );
  return { box, calls };
}

it.each<[SaveState, string]>([
  [{ kind: 'saved' }, 'Saved'],
  [{ kind: 'saving' }, 'Saving'],
  [{ kind: 'waiting' }, 'Not saved yet. Croft does not answer; trying again'],
  [{ kind: 'conflict', conflict: {} as never }, 'Not saved'],
])('of %j says %s', async (save, text) => {
  const { box } = await show(save);
  expect([box.textContent, box.querySelectorAll('button').length]).toEqual([text, 0]);
});

it('says why changes are refused, and offers to try again or discard them', async () => {
  const { box, calls } = await show({ kind: 'refused', message: 'The disk is full.' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'span[role=status]',
      'icon circle-exclamation-point 15',
      'span Not saved. The disk is full.',
      'button[type=button]',
      'span Try again',
      'button[type=button]',
      'span Discard changes',
    ]);
  expect(box.textContent).toContain('Not saved. The disk is full.');
  await fire(named(box, 'Try again'), 'click');
  await fire(named(box, 'Discard changes'), 'click');
  expect(calls).toEqual(['retry', 'discard']);
});

it('has an icon for each state', async () => {
  const states: readonly SaveState[] = [
    { kind: 'saved' },
    { kind: 'saving' },
    { kind: 'waiting' },
    { kind: 'conflict', conflict: {} as never },
  ];
  const outlines: (readonly string[])[] = [];
  for (const save of states) outlines.push(outline((await show(save)).box));
  expect(outlines).toEqual([
    ['span[role=status]', 'icon check 15', 'span Saved'],
    ['span[role=status]', 'span[aria-hidden=true]', 'span Saving'],
    ['span[role=status]', 'icon cloud-off 15', 'span Not saved yet. Croft does not answer; trying again'],
    ['span[role=status]', 'icon circle-exclamation-point 15', 'span Not saved'],
  ]);
});
