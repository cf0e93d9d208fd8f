import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { TimelineEntry } from '../api/runs.ts';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { Timeline } from './timeline.tsx';

const page = usePage();
const entry = (node: string, more: object = {}) =>
  ({ node, path: '', status: 'finished', startedMs: 0, ms: 500, ...more }) as TimelineEntry;
const WORDS = {
  titleOf: (node: string) => `Title ${node}`,
  labelOf: (node: string, side: string, name: string) => `${node} ${side} ${name}`,
  isCode: (_: string, name: string) => name === 'code',
};

async function show(timeline: readonly TimelineEntry[], elapsedMs?: number) {
  const box = await page.show(createElement(Timeline, { timeline, elapsedMs, words: WORDS }));
  const open = async (at: number) => {
    const details = box.querySelectorAll('details')[at] as HTMLDetailsElement;
    Object.assign(details, { open: true });
    // It does not bubble.
    await fire(details, 'toggle');
    return details;
  };
  return { box, rows: [...box.querySelectorAll('summary')].map(({ textContent }) => textContent), open };
}

it('has a bar for each component on one scale', async () => {
  const { box, rows } = await show([
    entry('A'),
    entry('B', { startedMs: 500, ms: 1_500, path: 'row 2', status: 'failed' }),
    entry('C', { startedMs: undefined, ms: undefined, status: 'pruned' }),
    entry('D', { startedMs: undefined, ms: undefined, status: 'cancelled' }),
  ]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-hidden=true]',
      'span 0',
      'span 2.0 s',
      'ol[aria-label=Timeline]',
      'icon chevron-right 15',
      'icon check 15',
      'span Title A',
      'span , done',
      'span 500 ms',
      'icon chevron-right 15',
      'icon circle-exclamation-point 15',
      'span Title B',
      'span row 2',
      'span , failed',
      'span 1.5 s',
      'icon chevron-right 15',
      'icon ban 15',
      'span Title C',
      'span , skipped',
      'span skipped',
      'icon chevron-right 15',
      'icon ban 15',
      'span Title D',
      'span , stopped',
      'span stopped',
    ]);
  expect([
    box.querySelector('ol')?.getAttribute('aria-label'),
    box.querySelector('[aria-hidden=true]')?.textContent,
  ]).toEqual(['Timeline', '02.0 s']);
  expect(rows).toEqual([
    'Title A, done500 ms',
    'Title B row 2, failed1.5 s',
    'Title C, skippedskipped',
    'Title D, stoppedstopped',
  ]);
  const bars = [...box.querySelectorAll<HTMLElement>('summary [style]')];
  expect(bars.map(({ style, className }) => [style.left, style.width, /bg-\S+/.exec(className)?.[0]])).toEqual([
    ['0%', '25%', 'bg-accent'],
    ['25%', '75%', 'bg-bad'],
  ]);
  const icons = [...box.querySelectorAll('summary .flex svg')].map(
    (icon) => /lucide-\S+/.exec(icon.getAttribute('class') ?? '')?.[0],
  );
  expect(icons).toEqual(['lucide-check', 'lucide-circle-exclamation-point', 'lucide-ban', 'lucide-ban']);
});

it('shows that a component still runs', async () => {
  const { box, rows } = await show([entry('A', { status: 'running', ms: undefined })], 3_000);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-hidden=true]',
      'span 0',
      'span 3.0 s',
      'ol[aria-label=Timeline]',
      'icon chevron-right 15',
      'span[aria-hidden=true]',
      'span Title A',
      'span , runs',
    ]);
  expect([rows, box.querySelector('.animate-spin') !== null, box.textContent.includes('3.0 s')]).toEqual([
    ['Title A, runs'],
    true,
    true,
  ]);
});

it('unfolds to inputs, outputs, tokens and the log', async () => {
  const { box, open } = await show([
    entry('A', {
      inputs: { text: 'in', code: 'x()', none: null, blank: '' },
      outputs: { message: { text: 'out' } },
      log: ['line'],
      tokens: { input: 1_200, output: 3 },
      starts: 2,
    }),
  ]);
  expect(box.querySelector('section')).toBeNull();
  const details = await open(0);
  expect(details.textContent).toContain(
    'Started 2 times: the run was interrupted, or waited.1,200 tokens in, 3 out' +
      'InputsA inputs textinA inputs codex()OutputsA outputs messageoutLogline',
  );
  expect([...details.querySelectorAll('section')].map((each) => each.getAttribute('aria-label'))).toEqual([
    'Inputs of Title A',
    'Outputs of Title A',
  ]);
  expect([...details.querySelectorAll('[role=region]')].map((each) => each.getAttribute('aria-label'))).toEqual([
    'Input A inputs text of Title A',
    'Input A inputs code of Title A',
    'Output A outputs message of Title A',
    'Log of Title A',
  ]);
  expect([...details.querySelectorAll('pre')].map(({ className }) => className.includes('font-mono'))).toEqual([
    false,
    true,
    false,
  ]);
});

it('says why a component failed, and that nothing else is kept', async () => {
  const { open } = await show([
    entry('A', { status: 'failed', failure: { node: 'A', message: 'It broke.', fix: 'Fix it.' } }),
  ]);
  const details = await open(0);
  expect([details.querySelector('[role=alert]')?.textContent, details.textContent.includes('tokens in')]).toEqual([
    'It broke.Fix it.',
    false,
  ]);
  expect(details.textContent).toMatch(/InputsNone are kept\.OutputsNone are kept\.$/);
  expect(details.textContent).not.toContain('Started');
});
