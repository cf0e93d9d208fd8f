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
  expect(outline(box)).toEqual([
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
