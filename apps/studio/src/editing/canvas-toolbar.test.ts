import { ReactFlowProvider } from '@xyflow/react';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { CanvasToolbar } from './canvas-toolbar.tsx';

const page = usePage();

async function show(more: object = {}) {
  const onCommand = vi.fn();
  const toolbar = createElement(CanvasToolbar, { canUndo: true, canRedo: true, onCommand, ...more });
  return { box: await page.show(createElement(ReactFlowProvider, { children: toolbar })), onCommand };
}

it('has a button for each command, with its key', async () => {
  const { box, onCommand } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-label=Edit the flow][role=toolbar]',
      'button[title=Add component (A)][aria-label=Add component][type=button]',
      'icon plus 16',
      'span Add component',
      'button[title=Add note (N)][aria-label=Add note (N)][type=button]',
      'icon sticky-note 17',
      'button[title=Undo][aria-label=Undo][type=button]',
      'icon undo-2 17',
      'button[title=Redo][aria-label=Redo][type=button]',
      'icon redo-2 17',
      'button[title=Tidy up (L)][aria-label=Tidy up (L)][type=button]',
      'icon wand-sparkles 17',
      'button[title=Find in this flow (F)][aria-label=Find in this flow (F)][type=button]',
      'icon search 17',
      'button[title=All commands (Ctrl+K)][aria-label=All commands (Ctrl+K)][type=button]',
      'icon command 17',
      'button[title=Keys (?)][aria-label=Keys (?)][type=button]',
      'icon circle-question-mark 17',
    ]);
  expect(box.querySelector('[role=toolbar]')?.getAttribute('aria-label')).toBe('Edit the flow');
  const buttons = [...box.querySelectorAll('button')];
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Add component',
    'Add note (N)',
    'Undo',
    'Redo',
    'Tidy up (L)',
    'Find in this flow (F)',
    'All commands (Ctrl+K)',
    'Keys (?)',
  ]);
  expect([buttons[0]?.getAttribute('title'), buttons[0]?.textContent]).toEqual(['Add component (A)', 'Add component']);
  for (const button of buttons) await fire(button, 'click');
  expect(onCommand.mock.calls.flat()).toEqual(['add', 'note', 'undo', 'redo', 'arrange', 'find', 'commands', 'help']);
});

it('offers to undo and redo only where that is possible', async () => {
  const isOff = (box: Element) =>
    ['Undo', 'Redo', 'Tidy up (L)'].map((name) => named(box, name).hasAttribute('disabled'));
  expect(isOff((await show({ canUndo: false })).box)).toEqual([true, false, false]);
  expect(isOff((await show({ canRedo: false })).box)).toEqual([false, true, false]);
});
