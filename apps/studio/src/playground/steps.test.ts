import { createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { usePage } from '../testing/page.ts';
import { Steps } from './steps.tsx';
import type { Step } from './tool-calls.ts';

const page = usePage();
const show = (...steps: Step[]) => page.show(createElement(Steps, { steps, titleOf: (node) => `Title ${node}` }));
const call = { kind: 'call', node: 'A', tool: 'read', input: '{"a":1}', status: 'answered', output: 'text' } as const;

it('is absent without steps', async () => {
  expect((await show()).innerHTML).toBe('');
});

it('has lines and calls in their order, with input and result', async () => {
  const box = await show({ kind: 'line', node: 'A', text: 'Begins' }, call);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'ol[aria-label=Steps]',
      'p Title A: Begins',
      'icon wrench 14',
      'code read',
      'span done',
      'icon check 15',
      'span Input',
      'pre[aria-label=Input of read][tabindex=0][role=region] {\\n  "a": 1\\n}',
      'span Result',
      'pre[aria-label=Result of read][tabindex=0][role=region] text',
    ]);
  expect(box.querySelector('ol')?.getAttribute('aria-label')).toBe('Steps');
  expect([...box.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'Title A: Begins',
    'readdoneInput{\n  "a": 1\n}Resulttext',
  ]);
  expect([...box.querySelectorAll('pre')].map((each) => each.getAttribute('aria-label'))).toEqual([
    'Input of read',
    'Result of read',
  ]);
});

it('says whether a call runs, ended or failed', async () => {
  const { output: _, ...open } = call;
  const box = await show({ ...open, status: 'running', input: '' }, { ...call, status: 'failed', output: '' }, call);
  const rows = [...box.querySelectorAll('summary')];
  expect(rows.map(({ textContent }) => textContent)).toEqual(['readruns', 'readfailed', 'readdone']);
  expect(rows.map((row) => row.querySelectorAll('.ml-auto svg').length)).toEqual([0, 1, 1]);
  expect(rows.map((row) => row.querySelector('.animate-spin') !== null)).toEqual([true, false, false]);
  expect(rows.map((row) => row.querySelectorAll('.text-bad').length)).toEqual([0, 2, 0]);
  expect([...box.querySelectorAll('pre')].map(({ textContent }) => textContent)).toEqual([
    '(empty)',
    '{\n  "a": 1\n}',
    '(empty)',
    '{\n  "a": 1\n}',
    'text',
  ]);
});
