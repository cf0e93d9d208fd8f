import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { fire, named, usePage } from '../testing/page.ts';
import { RunFailure } from './run-failure.tsx';
import { NO_RUN, type RunState } from './run-state.ts';
import { createRunStore, RunStoreContext } from './run-store.ts';

const page = usePage();

async function show(run: Partial<RunState>) {
  const store = createRunStore();
  store.set({ ...NO_RUN, ...run });
  const onShow = vi.fn();
  const note = createElement(RunFailure, { titleOf: (node) => `Title ${node}`, onShow });
  return { box: await page.show(createElement(RunStoreContext, { value: store }, note)), onShow };
}

it('says why the run failed, and leads to its component', async () => {
  const { box, onShow } = await show({ status: 'failed', failure: { node: 'A', message: 'It broke.' } });
  expect(box.querySelector('[role=alert]')?.textContent).toBe('Title AIt broke.Show Title A');
  await fire(named(box, 'Show Title A'), 'click');
  expect(onShow.mock.calls).toEqual([['A']]);
});

it('leads to no component where the whole run failed, and is absent without a failure', async () => {
  const { box } = await show({ status: 'failed', failure: { message: 'It broke.' } });
  expect([box.textContent, box.querySelector('button')]).toEqual(['It broke.', null]);
  expect((await show({ status: 'completed' })).box.innerHTML).toBe('');
});

it('says that the component changed since', async () => {
  const failure = { node: 'A', message: 'It broke.' };
  const { box } = await show({ status: 'failed', failure, changed: new Set(['A']) });
  expect([box.textContent.startsWith('Before the change:'), box.querySelector('[role=alert]')]).toEqual([true, null]);
});
