import { expect, it, vi } from 'vitest';
import { fire, usePage } from '../testing/page.ts';
import { useCanvasKeys } from './use-canvas-keys.ts';

const page = usePage();
const HTML =
  '<main><div id="canvas"><b id="node"></b><input id="field"></div><h1 id="title"></h1><button id="other"></button></main>';

async function open() {
  document.body.innerHTML = HTML;
  const at = (id: string) => document.getElementById(id) as HTMLElement;
  const calls: string[] = [];
  const shown = { copied: 'text' as string | undefined, isPasted: true };
  vi.stubGlobal('getSelection', () => ({ isCollapsed: true }));
  const hook = await page.hook(() =>
    useCanvasKeys(
      { current: at('canvas') },
      {
        onCommand: (command) => calls.push(command),
        copied: () => shown.copied,
        onCut: () => calls.push('cut'),
        onPaste: (text) => {
          calls.push(`paste ${text}`);
          return shown.isPasted;
        },
      },
    ),
  );
  const press = async (id: string, key: string, more: object = {}) =>
    (await fire(at(id), 'keydown', { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more }))
      .defaultPrevented;
  const clip = async (id: string, name: 'copy' | 'cut' | 'paste') => {
    const written: string[] = [];
    const clipboardData = {
      setData: (kind: string, text: string) => written.push(`${kind} ${text}`),
      getData: () => 'pasted',
    };
    const { defaultPrevented } = await fire(at(id), name, { clipboardData });
    return [defaultPrevented, ...written];
  };
  const dialog = () => document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>');
  return { hook, calls, shown, press, clip, dialog };
}

it('hands on the command of a key on the canvas or on a place that takes no keys itself', async () => {
  const { calls, press } = await open();
  expect([await press('node', 'a'), await press('title', 'n'), await press('node', 'x')]).toEqual([true, true, false]);
  expect(calls).toEqual(['add', 'note']);
});

it('leaves keys to fields, to other parts of the page and to dialogs', async () => {
  const { calls, press, dialog } = await open();
  expect([await press('field', 'a'), await press('other', 'a')]).toEqual([false, false]);
  expect(await press('field', 'k', { ctrlKey: true })).toBe(true);
  expect(calls).toEqual(['commands']);
  dialog();
  expect([await press('node', 'a'), await press('field', 'k', { ctrlKey: true })]).toEqual([false, false]);
});

it('copies and cuts what is selected, but not in a field or over selected words', async () => {
  const { calls, shown, clip } = await open();
  expect(await clip('node', 'copy')).toEqual([true, 'text/plain text']);
  expect([await clip('node', 'cut'), calls]).toEqual([[true, 'text/plain text'], ['cut']]);
  expect(await clip('field', 'copy')).toEqual([false]);
  vi.stubGlobal('getSelection', () => ({ isCollapsed: false }));
  expect(await clip('node', 'copy')).toEqual([false]);
  vi.stubGlobal('getSelection', () => null);
  shown.copied = undefined;
  expect([await clip('node', 'cut'), calls]).toEqual([[false], ['cut']]);
});

it('pastes what is for the canvas, and leaves other texts and fields', async () => {
  const { calls, shown, clip } = await open();
  expect(await clip('node', 'paste')).toEqual([true]);
  shown.isPasted = false;
  expect(await clip('node', 'paste')).toEqual([false]);
  expect(await clip('field', 'paste')).toEqual([false]);
  expect(calls).toEqual(['paste pasted', 'paste pasted']);
});

it('listens no more when the canvas is left', async () => {
  const { hook, calls, press, clip } = await open();
  hook.leave();
  expect([
    await press('node', 'a'),
    await clip('node', 'copy'),
    await clip('node', 'cut'),
    await clip('node', 'paste'),
  ]).toEqual([false, [false], [false], [false]]);
  expect(calls).toEqual([]);
});
