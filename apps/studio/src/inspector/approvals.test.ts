import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { Question } from '../canvas/run-state.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, type, usePage } from '../testing/page.ts';
import { AnswerRunContext } from './answer-run.tsx';
import { Approvals, Decision } from './approvals.tsx';

const page = usePage();
const question = (more: Partial<Question> = {}) =>
  ({
    key: 'k',
    node: 'n',
    text: 'Send it?',
    options: ['approve', 'reject'],
    context: '',
    answer: null,
    ...more,
  }) as Question;
const titleOf = (id: string) => `Title ${id}`;

async function show(work: () => Promise<void> = () => Promise.resolve()) {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      return work();
    };
  const value = { answer: note('answer'), decide: note('decide') };
  const approvals = (...questions: Question[]) =>
    page.show(createElement(AnswerRunContext, { value }, createElement(Approvals, { questions, titleOf })));
  const decision = (node?: string) =>
    page.show(
      createElement(
        AnswerRunContext,
        { value },
        createElement(Decision, {
          interrupted: { key: 'k', message: 'Was it sent?', ...(node !== undefined && { node }) },
          titleOf,
        }),
      ),
    );
  return { calls, approvals, decision };
}

it('shows what is asked and about which value, and sends the answer with the comment', async () => {
  const { calls, approvals } = await show();
  const box = await approvals(question({ context: 'The mail' }), question({ key: 'k2', node: 'm' }));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Title n waits for you]',
      'p[role=status] Title n waits for you',
      'icon user-check 16',
      'bdi Send it?',
      'div[aria-label=Value in question][tabindex=0][role=region]',
      'bdi The mail',
      'label[for=#1] Comment (optional)',
      'textarea#1[maxLength=10000][rows=2]',
      'p#1-error[role=alert]',
      'button[type=button]',
      'span Approve',
      'button[type=button]',
      'span Reject',
      'p[role=alert]',
      'section[aria-label=Title m waits for you]',
      'p[role=status] Title m waits for you',
      'icon user-check 16',
      'bdi Send it?',
      'label[for=#2] Comment (optional)',
      'textarea#2[maxLength=10000][rows=2]',
      'p#2-error[role=alert]',
      'button[type=button]',
      'span Approve',
      'button[type=button]',
      'span Reject',
      'p[role=alert]',
    ]);
  expect([...box.querySelectorAll('section')].map((each) => each.getAttribute('aria-label'))).toEqual([
    'Title n waits for you',
    'Title m waits for you',
  ]);
  expect(box.querySelectorAll('[role=region]')).toHaveLength(1);
  expect(box.textContent).toContain('The mail');
  await type(box.querySelector('textarea') as Element, 'fine');
  await fire(named(box, 'Approve'), 'click');
  await fire(named(box.querySelectorAll('section')[1] as Element, 'Reject'), 'click');
  expect(calls).toEqual([
    ['answer', 'k', 'approve', 'fine'],
    ['answer', 'k2', 'reject', ''],
  ]);
});

it('shows the whole value, and its invisible characters by their codes', async () => {
  const { approvals } = await show();
  const shown = async (context: Question['context']) =>
    (await approvals(question({ context }))).querySelector('[role=region]')?.textContent;
  expect(await shown({ text: 'Refund 5', amount: 5_000 })).toBe('{\n  "text": "Refund 5",\n  "amount": 5000\n}');
  expect(await shown({ path: 'a.txt', version: '1', amount: 5_000 })).toContain('5000');
  expect(await shown([{ to: 'ann\u202e', amount: 7 }])).toBe('toamountannU+202E7');
  expect(await shown({ text: 'one\ntwo\u202eeno' })).toBe('one\ntwoU+202Eeno');
  expect((await approvals(question({ text: 'Pay\u202e?' }))).textContent).toContain('PayU+202E?');
});

it('takes one answer at a time, and says why it was refused', async () => {
  let fail: (error: Error) => void = () => undefined;
  const { calls, approvals } = await show(() => new Promise((_, reject) => (fail = reject)));
  const box = await approvals(question());
  await fire(named(box, 'Approve'), 'click');
  expect(named(box, 'Reject').hasAttribute('disabled')).toBe(true);
  fail(new Error('Someone answered.'));
  await vi.waitFor(() => expect(named(box, 'Reject').hasAttribute('disabled')).toBe(false));
  expect([box.textContent?.includes('Someone answered.'), calls.length]).toEqual([true, 1]);
});

it('asks once whether an effect is repeated or skipped', async () => {
  const { calls, decision } = await show(() => new Promise(() => undefined));
  const [one, two] = [await decision('n'), await decision()];
  expect([one.textContent.includes('Title n was interrupted'), two.textContent.includes('was interrupted')]).toEqual([
    true,
    false,
  ]);
  await fire(named(one, 'Run it again'), 'click');
  expect(named(one, 'Skip it').hasAttribute('disabled')).toBe(true);
  await fire(named(two, 'Skip it'), 'click');
  expect(named(two, 'Run it again').hasAttribute('disabled')).toBe(true);
  expect(calls).toEqual([
    ['decide', 'k', 'repeat'],
    ['decide', 'k', 'skip'],
  ]);
});
