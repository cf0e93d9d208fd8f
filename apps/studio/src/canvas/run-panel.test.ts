import { createElement, createRef } from 'react';
import { expect, it, vi } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import type { Findings } from './findings.ts';
import { RunPanel } from './run-panel.tsx';
import { NO_RUN, type RunState } from './run-state.ts';
import { createRunStore, RunStoreContext } from './run-store.ts';

const page = usePage();
const HEAD = ['section[aria-label=Run]', 'h2 Run', 'span[role=status]'];
const SUBMIT = ['button[type=submit]', 'span Run', 'icon play 16'];

async function show(run: Partial<RunState> = {}, more: Partial<Parameters<typeof RunPanel>[0]> = {}) {
  const store = createRunStore();
  store.set({ ...NO_RUN, ...run } as RunState);
  const [onRun, onStop, onShow] = [vi.fn(), vi.fn(), vi.fn()];
  const titleOf = (node: string) => `Title ${node}`;
  const props = { flowId: 'f1', fields: [], problems: new Map() as Findings, titleOf, onRun, onStop, onShow, ...more };
  const box = await page.show(
    inClient(testClient())(createElement(RunStoreContext, { value: store }, createElement(RunPanel, props))),
  );
  const badge = () => box.querySelector('[role=status]')?.textContent;
  return { box, badge, onRun, onStop, onShow };
}

it.each([
  ['none', '', undefined],
  ['starting', 'Starting', 'soft'],
  ['running', 'Running', 'accent-strong'],
  ['waiting', 'Waits for you', 'warn'],
  ['needs_attention', 'Needs attention', 'warn'],
  ['completed', 'Done', 'accent-strong'],
  ['failed', 'Failed', 'bad'],
  ['cancelled', 'Stopped', 'soft'],
  ['timed_out', 'Timed out', 'bad'],
  ['interrupted', 'Interrupted', 'warn'],
] as const)('says of a run that is %s: "%s"', async (status, word, color) => {
  const { box, badge } = await show({ status });
  expect([
    box.querySelector('section')?.getAttribute('aria-label'),
    box.querySelector('h2')?.textContent,
    badge(),
    / text-(soft|accent-strong|warn|bad)(?= |$)/.exec(box.querySelector('[role=status] > span')?.className ?? '')?.[1],
  ]).toEqual(['Run', 'Run', word, color]);
});

it('runs and stops', async () => {
  const form = createRef<HTMLFormElement>();
  const { box, onRun } = await show({}, { form });
  await expect.poll(() => outline(box)).toEqual([...HEAD, ...SUBMIT]);
  expect(form.current).toBe(box.querySelector('form'));
  await fire(box.querySelector('form') as Element, 'submit');
  expect(onRun).toHaveBeenCalledOnce();
  const running = await show({ status: 'running' });
  await fire(
    [...running.box.querySelectorAll('button')].find((each) => each.textContent.includes('Stop')) as Element,
    'click',
  );
  expect(running.onStop).toHaveBeenCalledOnce();
});

it('says what prevents a run, at most five components, until a run is under way', async () => {
  const problems = (count: number) =>
    new Map(
      Array.from({ length: count }, (_, at) => [`n${at}`, { message: `M${at}.`, fix: `F${at}.` }]),
    ) as unknown as Findings;
  const { box, onShow } = await show({}, { problems: problems(6) });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...HEAD,
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 16',
      'p 6 components prevent a run:',
      'li M0. F0.',
      'button[type=button] Show Title n0',
      'li M1. F1.',
      'button[type=button] Show Title n1',
      'li M2. F2.',
      'button[type=button] Show Title n2',
      'li M3. F3.',
      'button[type=button] Show Title n3',
      'li M4. F4.',
      'button[type=button] Show Title n4',
      'button[disabled][type=submit]',
      ...SUBMIT.slice(1),
    ]);
  expect(box.textContent).toContain('6 components prevent a run:M0. F0. Show Title n0M1. F1. Show Title n1');
  expect(box.querySelectorAll('li').length).toBe(5);
  await fire(named(box, 'Show Title n1'), 'click');
  expect(onShow.mock.calls).toEqual([['n1']]);
  expect((await show({}, { problems: problems(1) })).box.textContent).toContain('One component prevents a run:');
  expect((await show({ status: 'running' }, { problems: problems(1) })).box.textContent).not.toContain('prevents');
});

it('has the text of the result, which can be copied', async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  const { box } = await show({ status: 'completed', text: '```json\n{"a":1}\n```' });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...HEAD,
      'span Done',
      'span[aria-hidden=true]',
      ...SUBMIT,
      'h3 Result',
      'button[aria-live=polite][type=button]',
      'span Copy',
      'icon copy 16',
      'p[aria-label=Result][role=region][tabindex=0] {"a":1}',
    ]);
  expect(box.querySelector('[role=region]')?.getAttribute('aria-label')).toBe('Result');
  await fire(named(box, 'Copy'), 'click');
  expect(writeText.mock.calls).toEqual([['{"a":1}']]);
  const empty = await show({ status: 'completed', text: '' });
  expect([empty.box.textContent.includes('The flow gave no text.'), empty.box.textContent.includes('Copy')]).toEqual([
    true,
    false,
  ]);
  expect((await show({ status: 'completed', text: 'x' }, { result: '[Other]' })).box.textContent).toContain('[Other]');
  expect((await show({ status: 'failed', text: 'x' })).box.textContent).not.toContain('Result');
});

it('says why a run failed, and shows where', async () => {
  const { box, onShow } = await show({
    status: 'failed',
    failure: { node: 'A', message: 'It broke.', fix: '' } as never,
  });
  expect(box.querySelector('[role=alert]')?.textContent).toContain('Title AIt broke.Show Title A');
  await fire(named(box, 'Show Title A'), 'click');
  expect(onShow.mock.calls).toEqual([['A']]);
  const whole = await show({ status: 'failed', failure: { message: 'It broke.', fix: '' } as never });
  expect(whole.box.textContent).not.toContain('Show');
});

it('asks what the run asks', async () => {
  const questions = [{ key: 'q', node: 'A', text: 'Really?', options: ['Yes'], context: '' }];
  expect((await show({ status: 'waiting', questions: questions as never })).box.textContent).toContain(
    'Title A waits for you',
  );
  const interrupted = { key: 'k', node: 'A', message: 'It may have happened.' };
  expect((await show({ status: 'needs_attention', interrupted: interrupted as never })).box.textContent).toContain(
    'It may have happened.',
  );
});

it('says its name only to screen readers on a phone below a tab', async () => {
  const hides = (box: Element) => [
    box.querySelector('h2')?.className.includes('max-md:sr-only'),
    box.querySelector('section > div')?.className.includes('max-md:sr-only'),
  ];
  expect(hides((await show({}, { isInTab: true })).box)).toEqual([true, true]);
  expect(hides((await show({ status: 'running' }, { isInTab: true })).box)).toEqual([true, false]);
  expect(hides((await show()).box)).toEqual([false, false]);
});
