import { emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import type { NodeView } from './node-view.ts';
import { Outline } from './outline.tsx';
import { NO_RUN, type RunState } from './run-state.ts';
import { createRunStore, RunStoreContext } from './run-store.ts';

const page = usePage();
const node = (id: string) => ({ id, type: 'T', position: { x: 0, y: 0 }, values: {} });
const edge = (from: string, to: string) => ({
  id: `${from}${to}`,
  from: { node: from, port: 'o' },
  to: { node: to, port: 'i' },
});
const view = (title: string, more: object = {}) =>
  ({ title, category: 'text', isKnown: true, ...more }) as unknown as NodeView;

async function show(
  ids: readonly string[],
  { edges = [] as object[], run = {} as object, views = new Map<string, NodeView>() } = {},
) {
  const onShow = vi.fn();
  const store = createRunStore();
  store.set({ ...NO_RUN, ...run } as RunState);
  const flow = { ...emptyFlow('f'), nodes: ids.map(node), edges } as unknown as Parameters<typeof Outline>[0]['flow'];
  const outline = createElement(Outline, { flow, views, selected: ['B'], onShow });
  const box = await page.show(createElement(RunStoreContext, { value: store }, outline));
  return { box, rows: () => [...box.querySelectorAll('li')].map(({ textContent }) => textContent), onShow };
}

it('says where each component leads, or what it is', async () => {
  const views = new Map([
    ['A', view('Input')],
    ['B', view('Writer')],
    ['C', view('Gone', { isKnown: false })],
  ]);
  const edges = [edge('A', 'B'), edge('A', 'C'), edge('A', 'D'), edge('A', 'B')];
  const { box, rows, onShow } = await show(['A', 'B', 'C', 'D'], { views, edges });
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.querySelector('h2')?.textContent]).toEqual([
    'Outline',
    'Outline',
  ]);
  expect(rows()).toEqual(['Inputleads to Writer, Gone, D', 'Writertext', 'GoneThis server has no such component', 'D']);
  expect([...box.querySelectorAll('[aria-current=true]')].map(({ textContent }) => textContent)).toEqual([
    'Writertext',
  ]);
  await fire(box.querySelectorAll('button')[2] as Element, 'click');
  expect(onShow.mock.calls).toEqual([['C']]);
});

it('says how the last run went', async () => {
  const nodes = {
    A: { status: 'done', rounds: 1, text: '' },
    B: { status: 'done', rounds: 1, text: '' },
    C: { status: 'running', rounds: 1, text: '' },
  };
  const questions = [{ key: 'q', node: 'C', text: '', options: [] }];
  const { rows } = await show(['A', 'B', 'C'], {
    run: { status: 'running', nodes, changed: new Set(['B']), questions },
  });
  expect(rows()).toEqual(['Adone', 'Bchanged', 'Casks you']);
});

it('shows a hundred rows at a time', async () => {
  const { box, rows } = await show(Array.from({ length: 250 }, (_, at) => `n${at}`));
  expect(rows().length).toBe(100);
  await fire(named(box, 'Show 100 of 150 more'), 'click');
  await fire(named(box, 'Show 50 of 50 more'), 'click');
  expect([rows().length, box.querySelector('section > button')]).toEqual([250, null]);
});
