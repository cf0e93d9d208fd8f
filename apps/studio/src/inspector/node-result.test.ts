import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { NO_RUN, type RunState } from '../canvas/run-state.ts';
import { createRunStore, RunStoreContext } from '../canvas/run-store.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { NodeResult } from './node-result.tsx';
import { RunFromContext } from './run-from.ts';

const page = usePage();

async function show(
  node: object | undefined,
  { state = {} as object, onRun = undefined as (() => void) | undefined } = {},
) {
  const store = createRunStore();
  store.set({ ...NO_RUN, status: 'completed', ...(node && { nodes: { A: node } }), ...state } as unknown as RunState);
  const start = vi.fn(() => Promise.resolve());
  const ports = [
    { name: 'message', label: 'Message' },
    { name: 'rows', label: 'Rows' },
  ];
  const box = await page.show(
    createElement(
      RunStoreContext,
      { value: store },
      createElement(
        RunFromContext,
        { value: { refusal: undefined, start } },
        createElement(NodeResult, { id: 'A', title: 'Writer', outputs: ports, onRun }),
      ),
    ),
  );
  return { box, start };
}

it('shows the result of the last run with its time', async () => {
  const { box } = await show({ status: 'done', ms: 20, outputs: { message: { text: 'Hi' } } });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Last run]',
      'h3 Result of the last run, 20 ms',
      'div[aria-label=Result Message][tabindex=0][role=region]',
      'pre Hi',
    ]);
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.querySelector('h3')?.textContent]).toEqual([
    'Last run',
    'Result of the last run, 20 ms',
  ]);
  expect([box.querySelector('[role=region]')?.getAttribute('aria-label'), box.querySelector('h4')]).toEqual([
    'Result Message',
    null,
  ]);
});

it('names each of several results', async () => {
  const { box } = await show({ status: 'done', outputs: { message: 'a', rows: 'b' } });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Last run]',
      'h3 Result of the last run',
      'h4 Message',
      'div[aria-label=Result Message][tabindex=0][role=region]',
      'pre a',
      'h4 Rows',
      'div[aria-label=Result Rows][tabindex=0][role=region]',
      'pre b',
    ]);
  expect([...box.querySelectorAll('h4')].map(({ textContent }) => textContent)).toEqual(['Message', 'Rows']);
  expect(box.querySelector('h3')?.textContent).toBe('Result of the last run');
});

it('has the log and the error with what to do', async () => {
  const { box } = await show({ status: 'failed', log: ['line'], failure: { message: 'It broke.', fix: 'Fix it.' } });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Last run]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 16',
      'p It broke.',
      'p Fix it.',
      'h3 Log',
      'div[aria-label=Log of Writer][tabindex=0][role=region]',
      'li line',
    ]);
  expect(box.textContent).toContain('It broke.Fix it.Logline');
  expect([box.querySelector('h3')?.textContent, box.textContent.includes('before the change')]).toEqual(['Log', false]);
});

it('runs up to here where that is possible', async () => {
  const onRun = vi.fn();
  const { box } = await show(undefined, { onRun });
  await fire(named(box, 'Run up to here'), 'click');
  expect(onRun).toHaveBeenCalledOnce();
  expect((await show(undefined)).box.querySelector('button')).toBeNull();
});
