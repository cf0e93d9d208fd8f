import { ReactFlowProvider } from '@xyflow/react';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
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
