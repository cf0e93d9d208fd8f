import { createElement, useContext } from 'react';
import { expect, it } from 'vitest';
import { createRunStore, useRun } from '../canvas/run-store.ts';
import { usePage } from '../testing/page.ts';
import { type AnswerRun, AnswerRunContext, RunProvider } from './answer-run.tsx';

const page = usePage();

it('gives the run and its answers to the components inside', async () => {
  const store = createRunStore();
  const answers: unknown[] = [];
  const running = {
    store,
    answer: async (...args: unknown[]) => void answers.push(args),
    decide: async (...args: unknown[]) => void answers.push(args),
  };
  let seen: unknown;
  let found: AnswerRun | undefined;
  const Inside = () => {
    seen = useRun();
    found = useContext(AnswerRunContext);
    return 'Inside';
  };
  const box = await page.show(createElement(RunProvider, { running, children: createElement(Inside) }));
  await found?.answer('q', 'Yes', '');
  await found?.decide('k', 'skip');
  expect([box.textContent, seen, answers]).toEqual([
    'Inside',
    store.get(),
    [
      ['q', 'Yes', ''],
      ['k', 'skip'],
    ],
  ]);
});

it('answers nothing outside of a run', async () => {
  const { current } = await page.hook(() => useContext(AnswerRunContext));
  await expect(Promise.all([current.answer('q', 'Yes', ''), current.decide('k', 'skip')])).resolves.toEqual([
    undefined,
    undefined,
  ]);
});
