import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { NodeView } from '../canvas/node-view.ts';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { CommandDialog } from './command-dialog.tsx';
import type { CommandState } from './commands.ts';
import { NOTHING } from './testing-commands.ts';
import { after, registry } from './testing-wires.ts';

const page = usePage();

async function show(more: Partial<CommandState> = {}) {
  const onPick = vi.fn();
  const state = { ...NOTHING, ...more };
  const views = new Map([['a', { title: 'My agent' } as NodeView]]);
  const props = { flow: after([]), views, registry, state, onPick, onClose: () => undefined };
  const box = await page.show(createElement(CommandDialog, props));
  const row = (title: string) =>
    [...box.querySelectorAll('[role=option]')].find(
      (each) => each.querySelector('.font-medium')?.textContent === title,
    );
  return { box, row, onPick };
}

it('offers commands with their keys, components to go to, and components to add', async () => {
  const { box, row, onPick } = await show();
  expect([box.querySelector('h2')?.textContent, box.querySelector('input')?.getAttribute('aria-label')]).toEqual([
    'Commands',
    'Search commands and components',
  ]);
  expect([...box.querySelectorAll('[role=group]')].map((each) => each.getAttribute('aria-label'))).toEqual([
    'Commands',
    'Go to',
    'Add',
  ]);
  expect([row('Undo'), row('Add note')?.textContent]).toEqual([undefined, 'Add noteN']);
  const [first] = registry.entries.map(({ descriptor }) => descriptor).filter(({ legacy }) => legacy !== true);
  for (const title of ['Add note', 'Go to My agent', `Add ${first?.label}`]) await fire(row(title) as Element, 'click');
  expect(onPick.mock.calls).toEqual([[{ command: 'note' }], [{ show: 'a' }], [{ add: first?.type }]]);
});

it('says why a command is refused', async () => {
  const { row } = await show({ runFrom: { refusal: 'It asks a person.' } });
  expect(row('Run from here')?.textContent).toContain('It asks a person.');
});

it('adds nothing to a flow that is read-only', async () => {
  const { box, row } = await show({ isReadOnly: true });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 Commands',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'input[placeholder=Search commands and components][spellCheck=false][autoComplete=off][aria-autocomplete=list][aria-activedescendant=#2-0][aria-controls=#2][aria-expanded=true][aria-label=Search commands and components][data-first=true][role=combobox]',
      'div#2[aria-label=Search commands and components][role=listbox]',
      'div[aria-label=Commands][role=group]',
      'p[aria-hidden=true] Commands',
      'div#2-0[draggable=false][aria-selected=true][tabindex=-1][role=option]',
      'span Run the flow',
      'kbd Ctrl',
      'kbd Enter',
      'div#2-1[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Find in this flow',
      'kbd F',
      'div#2-2[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Select everything',
      'kbd Ctrl',
      'kbd A',
      'div#2-3[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Show the whole flow',
      'kbd 1',
      'div#2-4[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Show all keys',
      'kbd ?',
      'div[aria-label=Go to][role=group]',
      'p[aria-hidden=true] Go to',
      'div#2-5[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Go to r',
      'div#2-6[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Go to w',
      'div#2-7[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Go to My agent',
      'div#2-8[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Go to g',
    ]);
  expect([
    [...box.querySelectorAll('[role=group]')].map((each) => each.getAttribute('aria-label')),
    row('Add note'),
  ]).toEqual([['Commands', 'Go to'], undefined]);
});
