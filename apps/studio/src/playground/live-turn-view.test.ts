import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { NO_RUN } from '../canvas/run-state.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { LiveTurnView } from './live-turn-view.tsx';

const page = usePage();
const ASKED = ['span You wrote', 'p Hello?'];
type Props = Parameters<typeof LiveTurnView>[0];

async function show(
  run: object,
  { draft = '', stored = undefined as object | undefined, steps = [] as object[] } = {},
) {
  const onRetry = vi.fn();
  const transcript = { draft, steps };
  const store = { subscribe: () => () => undefined, transcript: () => transcript };
  const chat = { store, run: { ...NO_RUN, ...run } };
  const props = {
    chat,
    live: { text: 'Hello?', runId: 'r1' },
    flowId: 'f1',
    stored,
    titleOf: (node: string) => `Title ${node}`,
    onRetry,
  };
  const box = await page.show(createElement(LiveTurnView, props as unknown as Props));
  const status = () => box.querySelector('[role=status]')?.textContent.trim();
  return { box, status, onRetry, stored };
}

it('shows the answer while it is written', async () => {
  const steps = [{ kind: 'line', node: 'A', text: 'Begins' }];
  const working = await show({ status: 'running' }, { steps });
  expect([working.box.textContent, working.status()]).toEqual(['You wroteHello?Title A: Begins Working', 'Working']);
  const { box, status } = await show({ status: 'running' }, { draft: 'Par*tly*' });
  await expect
    .poll(() => outline(box))
    .toEqual([...ASKED, 'div[aria-busy=true]', 'p Par', 'em tly', 'p[role=status] Writing', 'span[aria-hidden=true]']);
  expect([box.querySelector('[aria-busy=true]')?.textContent, status(), box.querySelector('button')]).toEqual([
    'Partly',
    'Writing',
    null,
  ]);
});

it('has the stored answer once the run has ended, and asks again', async () => {
  const messages = [
    { id: '1', sender: 'User', text: 'Hello?' },
    { id: '2', sender: 'AI', senderName: 'AI', text: 'Hi.' },
  ];
  const metrics = { duration_seconds: 2, input_tokens: 0, output_tokens: 0 };
  const { box, status, onRetry, stored } = await show(
    { status: 'completed', metrics },
    { draft: 'Draft', stored: { messages } },
  );
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...ASKED,
      'span The flow answered',
      'p Hi.',
      'p[role=status]',
      'span The flow has answered.',
      'button[type=button]',
      'span Answer again',
      'icon rotate-ccw 14',
      'button[aria-live=polite][type=button]',
      'span Copy',
      'icon copy 16',
      'a[href=/base/runs/r1] Show the run',
      'span Took 2.0 s',
    ]);
  expect([status(), box.textContent.includes('Draft'), box.textContent.includes('The flow answeredHi.')]).toEqual([
    'The flow has answered.',
    false,
    true,
  ]);
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { userAgent: '', clipboard: { writeText } });
  await fire(named(box, 'Copy'), 'click');
  await fire(named(box, 'Answer again'), 'click');
  expect([writeText.mock.calls, onRetry.mock.calls]).toEqual([[['Hi.']], [['Hello?', stored]]]);
  expect([named(box, 'Show the run').getAttribute('href'), box.textContent.includes('2.0 s')]).toEqual([
    '/base/runs/r1',
    true,
  ]);
});

it('has the text of the run where nothing is stored yet, or says that there is none', async () => {
  expect(
    (await show({ status: 'completed', text: 'All of it' })).box.querySelector('[aria-busy=false]')?.textContent,
  ).toBe('All of it');
  const empty = await show({ status: 'completed', text: '' });
  expect([empty.status(), empty.box.textContent.includes('Copy')]).toEqual([
    'The flow has answered.The flow gave no text.',
    false,
  ]);
});

it.each([
  ['cancelled', 'Stopped. The flow did not finish its answer.', 'Answer again'],
  ['timed_out', 'The run took too long and was ended.', 'Try again'],
  ['interrupted', 'The run was interrupted.', 'Try again'],
] as const)('says how a run ended: %s', async (state, text, action) => {
  const { box, status } = await show({ status: state });
  expect([status(), named(box, action).textContent.trim(), box.textContent.includes('Copy')]).toEqual([
    text,
    action,
    false,
  ]);
});

it('says why a run failed, and leads to the canvas', async () => {
  const { box, status } = await show({ status: 'failed', failure: { node: 'A', message: 'It broke.', fix: '' } });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...ASKED,
      'p[role=status]',
      'div[role=alert]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 16',
      'p Title A',
      'p It broke.',
      'a[href=/base/flows/f1] Open the canvas',
      'button[type=button]',
      'span Try again',
      'icon rotate-ccw 14',
      'a[href=/base/runs/r1] Show the run',
    ]);
  expect([status(), box.querySelector('[role=alert]')?.textContent]).toEqual(['', 'Title AIt broke.Open the canvas']);
  expect([named(box, 'Open the canvas').getAttribute('href'), named(box, 'Try again').textContent.trim()]).toEqual([
    '/base/flows/f1',
    'Try again',
  ]);
  expect((await show({ status: 'failed', failure: { message: 'It broke.', fix: '' } })).box.textContent).not.toContain(
    'Open the',
  );
});

it('asks what the run asks, and does not say that it works meanwhile', async () => {
  const questions = [{ key: 'q', node: 'A', text: 'Really?', options: ['Yes'], context: '' }];
  const { box, status } = await show({ status: 'waiting', questions });
  await expect
    .poll(() => outline(box))
    .toEqual([
      ...ASKED,
      'p[role=status]',
      'section[aria-label=Title A waits for you]',
      'p[role=status] Title A waits for you',
      'icon user-check 16',
      'bdi Really?',
      'label[for=#1] Comment (optional)',
      'textarea#1[maxLength=10000][rows=2]',
      'p#1-error[role=alert]',
      'button[type=button]',
      'span Yes',
      'p[role=alert]',
    ]);
  expect([status(), box.textContent.includes('Title A waits for you')]).toEqual(['', true]);
  const interrupted = { key: 'k', node: 'A', message: 'It may have happened.' };
  const open = await show({ status: 'needs_attention', interrupted });
  expect([open.status(), open.box.textContent.includes('It may have happened.')]).toEqual(['', true]);
});
