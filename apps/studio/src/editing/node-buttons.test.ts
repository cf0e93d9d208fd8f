import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { NO_RUN, type RunState } from '../canvas/run-state.ts';
import { createRunStore, RunStoreContext } from '../canvas/run-store.ts';
import { inFlow, itemOf } from '../canvas/testing-store.ts';
import { RunFromContext } from '../inspector/run-from.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { EditingContext } from './editing-context.ts';
import { NodeButtons } from './node-buttons.tsx';

const page = usePage();

async function show({ canConnect = true, canEdit = true, others = false, canRun = true } = {}) {
  const editing = { openConnect: vi.fn(), duplicate: vi.fn(), remove: vi.fn() };
  const start = vi.fn(async () => undefined);
  const runs = createRunStore();
  runs.set({
    ...NO_RUN,
    status: 'completed',
    stored: 'r1',
    nodes: { A: { status: 'done', rounds: 1, text: '' } },
  } as RunState);
  const buttons = createElement(
    RunStoreContext,
    { value: runs },
    createElement(
      RunFromContext,
      { value: { refusal: canRun ? undefined : 'No.', start } },
      createElement(
        EditingContext,
        { value: canEdit ? (editing as never) : undefined },
        createElement(NodeButtons, { id: 'A', canConnect }),
      ),
    ),
  );
  await page.show(inFlow([itemOf('A', { selected: true }), itemOf('B', { selected: others })], buttons));
  const names = () => [...document.querySelectorAll('button')].map((each) => each.getAttribute('aria-label'));
  return { editing, start, names, click: (name: string) => fire(named(document.body, name), 'click') };
}

it('connects, runs, duplicates and deletes the only selected component', async () => {
  const { editing, start, names, click } = await show();
  expect(names()).toEqual(['Connect (C)', 'Run from here', 'Duplicate', 'Delete']);
  for (const name of names()) await click(name ?? '');
  expect([editing.openConnect, start, editing.duplicate, editing.remove].map((each) => each.mock.calls)).toEqual([
    [['A']],
    [['A']],
    [['A']],
    [['A']],
  ]);
});

it('does not connect a component that is not known, or run where that is not possible', async () => {
  expect((await show({ canConnect: false, canRun: false })).names()).toEqual(['Duplicate', 'Delete']);
});

it('is not there beside other selected items, or where the flow is read-only', async () => {
  expect((await show({ others: true })).names()).toEqual([]);
  expect((await show({ canEdit: false })).names()).toEqual([]);
});

it('has an icon and a title for each button', async () => {
  await show();
  const toolbar = document.querySelector('button')?.parentElement as Element;
  await expect
    .poll(() => outline(toolbar))
    .toEqual([
      'button[title=Connect (C)][aria-label=Connect (C)][type=button]',
      'icon spline 16',
      'button[title=Run from here][aria-label=Run from here][type=button]',
      'icon rotate-cw 16',
      'button[title=Duplicate][aria-label=Duplicate][type=button]',
      'icon copy 16',
      'button[title=Delete][aria-label=Delete][type=button]',
      'icon trash 16',
    ]);
});
