import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { RunRecord } from '../api/runs.ts';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { RunResult } from './run-result.tsx';

const page = usePage();
const TITLE = [
  'section[aria-label=Result]',
  'h2 Result',
  'button[aria-live=polite][type=button]',
  'span Copy',
  'icon copy 16',
];

it('names a component with several outputs once', () => {
  const outputs = { W: { report: { text: 'Saved' }, lines: [{ a: 1 }] }, O: { message: { text: 'Hi' } } };
  const run = { status: 'completed', text: 'Saved\nHi', outputs } as unknown as RunRecord;
  const html = renderToStaticMarkup(createElement(RunResult, { run, titleOf: (node) => `Title of ${node}` }));
  expect(html.match(/>Title of [WO]</g)).toEqual(['>Title of W<', '>Title of O<']);
});

const show = async (run: Partial<RunRecord>) =>
  page.show(createElement(RunResult, { run: run as RunRecord, titleOf: (node) => `Title of ${node}` }));

it('shows the values beside the text', async () => {
  const outputs = { W: { report: { text: 'Saved' }, lines: 'one', none: null }, O: { message: { text: 'Hi' } } };
  expect(outline(await show({ status: 'completed', text: 'Hi', outputs }))).toEqual([
    ...TITLE,
    'span Title of W',
    'div[aria-label=report of Title of W][tabindex=0][role=region]',
    'pre Saved',
    'div[aria-label=lines of Title of W][tabindex=0][role=region]',
    'pre one',
  ]);
  const values = { W: { report: { text: 'Hi' }, lines: { text: 7 } } };
  expect(outline(await show({ status: 'completed', text: 'Hi', outputs: values }))).toEqual([
    ...TITLE,
    'p[aria-label=Text][role=region][tabindex=0] Hi',
    'span Title of W',
    'div[aria-label=lines of Title of W][tabindex=0][role=region]',
    'pre {\\n  "text": 7\\n}',
  ]);
});

it('shows a message where a run has no text, and nothing of a run that did not complete', async () => {
  expect(outline(await show({ status: 'completed', text: '', outputs: null as never }))).toEqual([
    'section[aria-label=Result]',
    'h2 Result',
    'p The flow gave no text.',
  ]);
  expect(outline(await show({ status: 'completed', text: 'Hi', outputs: { W: null } as never }))).toEqual([
    ...TITLE,
    'p[aria-label=Text][role=region][tabindex=0] Hi',
  ]);
  expect((await show({ status: 'failed', text: 'Hi' })).innerHTML).toBe('');
});
