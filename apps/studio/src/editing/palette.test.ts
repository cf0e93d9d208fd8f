import type { Descriptor } from '@croft/flow';
import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { DRAGGED, Palette } from './palette.tsx';

const page = usePage();
let focused: unknown[] = [];
beforeEach(() => {
  focused = [];
  HTMLElement.prototype.focus = function focus(this: HTMLElement) {
    focused.push(this.getAttribute('aria-label'));
  };
});
const component = (kind: string, label: string, category: string, more: object = {}) =>
  ({
    type: kind,
    label,
    description: `About ${label}`,
    category,
    fields: [],
    outputs: [],
    ...more,
  }) as unknown as Descriptor;
const COMPONENTS = [
  component('Agent', 'Agent', 'models', { outputs: [{ name: 'o', label: 'O', types: ['Message'] }] }),
  component('Old', 'Old agent', 'models', { legacy: true }),
  component('Words', 'Words', 'text'),
];

async function show() {
  const [onPick, onClose] = [vi.fn(), vi.fn()];
  const box = await page.show(
    createElement(Palette, { components: COMPONENTS, title: 'Add a component', onPick, onClose }),
  );
  const rows = () => [...box.querySelectorAll('[role=option]')];
  const groups = () => [...box.querySelectorAll('[role=group] > p')].map(({ textContent }) => textContent);
  return { box, rows, groups, onPick, onClose, input: box.querySelector('input') as HTMLInputElement };
}

it('lists current components by category, with the focus in the search', async () => {
  const { box, rows, groups, input, onPick } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Add a component]',
      'h2 Add a component',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 16',
      'input[placeholder=Name, purpose or port type][spellCheck=false][autoComplete=off][aria-autocomplete=list][aria-activedescendant=#1-0][aria-controls=#1][aria-expanded=true][aria-label=Search components][data-first=true][role=combobox]',
      'div#1[aria-label=Search components][role=listbox]',
      'div[aria-label=models][role=group]',
      'p[aria-hidden=true] models',
      'div#1-0[draggable=true][aria-selected=true][tabindex=-1][role=option]',
      'span[aria-hidden=true]',
      'span Agent',
      'span About Agent',
      'div[aria-label=text][role=group]',
      'p[aria-hidden=true] text',
      'div#1-1[draggable=true][aria-selected=false][tabindex=-1][role=option]',
      'span[aria-hidden=true]',
      'span Words',
      'span About Words',
    ]);
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.querySelector('h2')?.textContent]).toEqual([
    'Add a component',
    'Add a component',
  ]);
  expect([rows().map(({ textContent }) => textContent), groups()]).toEqual([
    ['AgentAbout Agent', 'WordsAbout Words'],
    ['models', 'text'],
  ]);
  expect([focused, input.getAttribute('placeholder')]).toEqual([['Search components'], 'Name, purpose or port type']);
  const colours = [...box.querySelectorAll<HTMLElement>('[style]')].map(({ style }) => style.background);
  expect([colours.length, new Set(colours).size]).toEqual([2, 2]);
  await fire(rows()[1] as Element, 'click');
  expect(onPick.mock.calls).toEqual([['Words']]);
});

it('finds components without categories', async () => {
  const { box, rows, groups, input } = await show();
  await type(input, 'agent');
  expect([rows().map(({ textContent }) => textContent), groups()]).toEqual([['AgentAbout Agent'], []]);
  await type(input, 'zzz');
  expect(box.querySelector('p[role=status]')?.textContent).toBe(
    'No component fits this search. Try one word for what it does, or add TypeScript code and write the step.',
  );
});

it('lets a component be dragged to the canvas', async () => {
  const { rows } = await show();
  const dataTransfer = { setData: vi.fn(), effectAllowed: '' };
  await fire(rows()[0] as Element, 'dragstart', { dataTransfer });
  expect([dataTransfer.setData.mock.calls, dataTransfer.effectAllowed]).toEqual([[[DRAGGED, 'Agent']], 'copy']);
});

it('closes by Escape and its button, and keeps its keys from the canvas', async () => {
  const { box, input, onClose } = await show();
  let seen = 0;
  document.body.addEventListener('keydown', () => void (seen += 1));
  await fire(input, 'keydown', { key: 'a' });
  expect([onClose.mock.calls.length, seen]).toEqual([0, 0]);
  await fire(input, 'keydown', { key: 'Escape' });
  await fire(named(box, 'Close'), 'click');
  expect(onClose).toHaveBeenCalledTimes(2);
});
