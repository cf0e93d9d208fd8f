import { createRegistry, emptyFlow } from '@croft/flow';
import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { NO_RUN, type RunState } from '../canvas/run-state.ts';
import { createRunStore, RunStoreContext } from '../canvas/run-store.ts';
import { make } from '../editing/testing-wires.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { FlowOutputs } from './flow-outputs.tsx';

const page = usePage();

async function show(text: string, outputs: Readonly<Record<string, object>>) {
  const store = createRunStore();
  const nodes = Object.fromEntries(
    Object.entries(outputs).map(([id, each]) => [id, { status: 'done', outputs: each }]),
  );
  store.set({ ...NO_RUN, status: 'completed', text, nodes } as unknown as RunState);
  const ids = Object.keys(outputs).map((id) => ({ id, type: 'T', position: { x: 0, y: 0 }, values: {} }));
  const props = {
    document: { ...emptyFlow('f'), nodes: ids },
    registry: createRegistry([make('T', [], ['Message'])]),
    titleOf: (node: string) => `Title ${node}`,
  } as unknown as Parameters<typeof FlowOutputs>[0];
  return page.show(createElement(RunStoreContext, { value: store }, createElement(FlowOutputs, props)));
}

it('is the text of the run, which can be copied', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  const box = await show('All *of* it', { A: { out: 'All' } });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Outputs]',
      'p All  it',
      'em of',
      'button[aria-live=polite][type=button]',
      'span Copy',
      'icon copy 16',
    ]);
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.querySelector('em')?.textContent]).toEqual([
    'Outputs',
    'of',
  ]);
  await fire(named(box, 'Copy'), 'click');
  expect(writeText.mock.calls).toEqual([['All *of* it']]);
});

it('says that there is no text', async () => {
  const box = await show('', {});
  expect([box.textContent.trim(), box.querySelector('button')]).toEqual(['The flow gave no text.', null]);
});

it('is the values of each component where they are not one text', async () => {
  const box = await show('x', { A: { out: 'one', more: [{ a: 1 }], none: null }, B: { out: 'two' } });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Outputs]',
      'h3 Title A',
      'div[aria-label=Title A: out][tabindex=0][role=region]',
      'pre one',
      'div[aria-label=Title A: more][tabindex=0][role=region]',
      'th[scope=col] a',
      'td 1',
      'h3 Title B',
      'div[aria-label=Title B: out][tabindex=0][role=region]',
      'pre two',
    ]);
  expect([...box.querySelectorAll('h3')].map(({ textContent }) => textContent)).toEqual(['Title A', 'Title B']);
  expect([...box.querySelectorAll('[role=region]')].map((each) => each.getAttribute('aria-label'))).toEqual(
    expect.arrayContaining(['Title A: out', 'Title A: more', 'Title B: out']),
  );
  const rows = await show('x', { A: { out: [{ a: 1 }] } });
  expect([rows.querySelector('table') !== null, rows.querySelector('h3')?.textContent]).toEqual([true, 'Title A']);
});
