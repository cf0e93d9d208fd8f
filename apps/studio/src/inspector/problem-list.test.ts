import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { Finding } from '../api/flows.ts';
import { outline } from '../testing/outline.ts';
import { fire, usePage } from '../testing/page.ts';
import { ProblemList } from './problem-list.tsx';

const page = usePage();
const finding = (at: number, more: Partial<Finding> = {}) =>
  ({
    code: 'c',
    severity: 'error',
    node: `n${at}`,
    field: 'url',
    message: `Problem ${at}.`,
    fix: 'Fix it.',
    ...more,
  }) as Finding;

async function show(findings: readonly Finding[], failure?: string) {
  const calls: unknown[][] = [];
  const box = await page.show(createElement(ProblemList, { findings, failure, onShow: (...args) => calls.push(args) }));
  return { box, calls, items: [...box.querySelectorAll('li')].map(({ textContent }) => textContent) };
}

it('says that the check finds no problem only where it finds none', async () => {
  const NONE = 'The check of the flow finds no problem. Errors of runs appear here while this page is open.';
  expect((await show([])).box.textContent).toContain(NONE);
  expect((await show([finding(1)])).box.textContent).not.toContain('finds no problem');
});

it('has the failure of the last run, without a mark that all is well', async () => {
  const { box } = await show([], '[It broke]');
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Problems]',
      'h2 Problems',
      'div [It broke]',
      'h3 Error of the last run',
      'p The check of the flow finds no problem.',
    ]);
  const { box: well } = await show([]);
  await expect.poll(() => outline(well)).toContain('icon circle-check 15');
});

it('tells errors from warnings, and leads to their field', async () => {
  const { box, calls, items } = await show([finding(1), finding(2, { severity: 'warning', node: undefined })]);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Problems]',
      'h2 Problems',
      'button[type=button]',
      'icon circle-exclamation-point 15',
      'span Problem 1.',
      'span Error:',
      'span Fix it.',
      'icon triangle-exclamation-point 15',
      'span Problem 2.',
      'span Warning:',
      'span Fix it.',
    ]);
  expect(items).toEqual(['Error: Problem 1. Fix it.', 'Warning: Problem 2. Fix it.']);
  const buttons = [...box.querySelectorAll('button')];
  await fire(buttons[0] as Element, 'click');
  expect([buttons.length, calls]).toEqual([1, [['n1', 'url']]]);
});

it('counts what it does not list', async () => {
  const many = Array.from({ length: 53 }, (_, at) => finding(at));
  const { box, items } = await show(many);
  expect([items.length, box.textContent?.includes('And 3 more.')]).toEqual([50, true]);
  expect((await show(many.slice(0, 50))).box.textContent).not.toContain('more.');
});
