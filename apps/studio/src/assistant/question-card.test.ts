import { act, createElement } from 'react';
import { expect, it } from 'vitest';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { QuestionCard } from './question-card.tsx';

const page = usePage();

it('sends one answer to its question', async () => {
  const calls: unknown[][] = [];
  let done: () => void = () => undefined;
  const store = {
    answer: (...args: unknown[]) => {
      calls.push(args);
      return new Promise<void>((resolve) => (done = resolve));
    },
  };
  const question = { id: 'q', text: 'Which file?', choices: ['a.csv', 'b.csv'], default: 'b.csv' };
  const props = { question, turnKey: 'k', store } as unknown as Parameters<typeof QuestionCard>[0];
  const box = await page.show(createElement(QuestionCard, props));
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Question]',
      'p Which file?',
      'button[type=button]',
      'span a.csv',
      'button[type=button]',
      'span b.csv',
      'span default',
    ]);
  expect([...box.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual(['a.csv', 'b.csvdefault']);
  await fire(named(box, 'a.csv'), 'click');
  expect(named(box, 'b.csvdefault').hasAttribute('disabled')).toBe(true);
  expect(calls).toEqual([['k', 'q', 'a.csv']]);
  await act(async () => done());
  expect(named(box, 'b.csvdefault').hasAttribute('disabled')).toBe(false);
});
