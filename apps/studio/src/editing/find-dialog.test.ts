import { emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { NodeView } from '../canvas/node-view.ts';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { FindDialog } from './find-dialog.tsx';

const page = usePage();

async function show(flow: Parameters<typeof FindDialog>[0]['flow'], views: ReadonlyMap<string, NodeView> = new Map()) {
  const calls: string[] = [];
  const props = { flow, views, onShow: (id: string) => void calls.push(id), onClose: () => void calls.push('close') };
  const box = await page.show(createElement(FindDialog, props));
  return { box, calls, rows: [...box.querySelectorAll('[role=option]')] };
}

it('finds components by name, kind and values, and notes by their text', async () => {
  const node = (id: string) => ({ id, type: 'T', position: { x: 0, y: 0 }, values: {} });
  const note = (id: string, text: string) => ({
    id,
    text,
    position: { x: 0, y: 0 },
    size: { width: 200, height: 100 },
  });
  const flow = {
    ...emptyFlow('f'),
    nodes: [node('A'), node('B'), node('C')],
    notes: [note('n', ` ${'x'.repeat(81)}`), note('m', ' ')],
  } as Parameters<typeof show>[0];
  const view = (title: string, kind: string) =>
    ({ title, kind, fields: [{ label: 'Model', value: 'm1' }] }) as unknown as NodeView;
  const views = new Map([
    ['A', view('Writer', 'Agent')],
    ['B', view('Agent', 'Agent')],
  ]);
  const { box, calls, rows } = await show(flow, views);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'dialog[aria-labelledby=#1]',
      'h2#1 Find in this flow',
      'button[title=Close][aria-label=Close][type=button]',
      'icon x 18',
      'input[placeholder=Search names, kinds and values][spellCheck=false][autoComplete=off][aria-autocomplete=list][aria-activedescendant=#2-0][aria-controls=#2][aria-expanded=true][aria-label=Search names, kinds and values][data-first=true][role=combobox]',
      'div#2[aria-label=Search names, kinds and values][role=listbox]',
      'div[aria-label=Components][role=group]',
      'p[aria-hidden=true] Components',
      'div#2-0[draggable=false][aria-selected=true][tabindex=-1][role=option]',
      'span Writer',
      'span Agent · Model: m1',
      'div#2-1[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Agent',
      'span Model: m1',
      'div#2-2[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span C',
      'div[aria-label=Notes][role=group]',
      'p[aria-hidden=true] Notes',
      'div#2-3[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'div#2-4[draggable=false][aria-selected=false][tabindex=-1][role=option]',
      'span Empty note',
    ]);
  expect([box.querySelector('h2')?.textContent, box.querySelector('input')?.getAttribute('aria-label')]).toEqual([
    'Find in this flow',
    'Search names, kinds and values',
  ]);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'WriterAgent · Model: m1',
    'AgentModel: m1',
    'C',
    'x'.repeat(80),
    'Empty note',
  ]);
  expect([...box.querySelectorAll('[role=group]')].map((each) => each.getAttribute('aria-label'))).toEqual([
    'Components',
    'Notes',
  ]);
  await fire(rows[3] as Element, 'click');
  expect(calls).toEqual(['close', 'n']);
});

it('says that there is nothing', async () => {
  expect((await show(emptyFlow('f'))).box.querySelector('p[role=status]')?.textContent).toBe(
    'This flow has no components yet.',
  );
});
