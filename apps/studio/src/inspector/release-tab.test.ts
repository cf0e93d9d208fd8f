import type { EditorView } from '@codemirror/view';
import { expect, it } from 'vitest';
import { fire, usePage } from '../testing/page.ts';
import { releaseTab } from './release-tab.ts';

usePage();

function editor() {
  const modes: unknown[] = [];
  const contentDOM = document.createElement('div');
  document.body.append(contentDOM);
  const setTabFocusMode = (mode: unknown) => void modes.push(mode);
  releaseTab({ contentDOM, setTabFocusMode } as unknown as EditorView);
  const press = async (key: string, more = {}) =>
    (await fire(contentDOM, 'keydown', { key, isComposing: false, ...more })).defaultPrevented;
  return { modes, press, leave: () => fire(contentDOM, 'blur') };
}

it('keeps the first Escape from the dialog, and gives it the next one in a row', async () => {
  const { modes, press } = editor();
  expect([await press('Escape'), await press('Escape'), await press('a'), await press('Escape')]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(modes).toEqual([60_000, 60_000, 60_000]);
});

it('counts no modifier key as another key, and ignores the keys of a composition', async () => {
  const { modes, press } = editor();
  expect(await press('Escape', { isComposing: true })).toBe(false);
  expect(modes).toEqual([]);
  const pressed = ['Escape', 'Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'Escape'];
  const prevented: boolean[] = [];
  for (const key of pressed) prevented.push(await press(key));
  expect(prevented).toEqual([true, ...Array<boolean>(6).fill(false)]);
});

it('gives Tab back to the editor when the focus leaves', async () => {
  const { modes, press, leave } = editor();
  await press('Escape');
  await leave();
  expect([await press('Escape'), modes]).toEqual([true, [60_000, false, 60_000]]);
});
