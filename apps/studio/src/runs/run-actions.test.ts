import { createElement } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { NO_RUN, type RunState } from '../canvas/run-state.ts';
import { createRunStore } from '../canvas/run-store.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { runActions } from './run-actions.ts';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);

function waiting() {
  const store = createRunStore();
  const question = { key: 'k', node: 'a', text: '?' };
  store.set({ ...NO_RUN, status: 'waiting', questions: [question] } as unknown as RunState);
  return { store, actions: runActions(store, () => 'r1') };
}
const toasts = async () => (await page.show(createElement(Toaster))).textContent;

it('sends an answer and shows the question no longer', async () => {
  const { store, actions } = waiting();
  server.answer('POST /api/v1/runs/r1/answer', {});
  await actions.answer('k', 'approve', 'fine');
  expect(server.requests).toEqual(['POST /api/v1/runs/r1/answer {"key":"k","choice":"approve","comment":"fine"}']);
  expect(store.get().questions).toBeUndefined();
});

it('keeps the question where the answer was refused', async () => {
  const { store, actions } = waiting();
  server.answer('POST /api/v1/runs/r1/answer', refusal(409, 'answered'));
  await expect(actions.answer('k', 'approve', '')).rejects.toMatchObject({ code: 'answered' });
  expect(store.get().questions).toHaveLength(1);
});

it('decides about an effect that was interrupted', async () => {
  const { store, actions } = waiting();
  store.set({ ...NO_RUN, status: 'needs_attention', interrupted: { key: 'k', message: '' } } as RunState);
  server.answer('POST /api/v1/runs/r1/decide', {});
  await actions.decide('k', 'skip');
  expect(server.requests).toEqual(['POST /api/v1/runs/r1/decide {"key":"k","decision":"skip"}']);
  expect(store.get().interrupted).toBeUndefined();
});

it('stops the run, or says that it was not stopped', async () => {
  const { actions } = waiting();
  server.answer('POST /api/v1/runs/r1/cancel', {});
  await actions.stop();
  expect(await toasts()).toBe('');
  server.answer('POST /api/v1/runs/r1/cancel', refusal(404, 'gone', 'There is no such run.'));
  await actions.stop();
  expect(await toasts()).toBe('The run was not stopped. There is no such run.');
});

it('sends nothing without a run', async () => {
  const none = runActions(createRunStore(), () => undefined);
  await none.answer('k', 'approve', '');
  await none.decide('k', 'repeat');
  await none.stop();
  expect(server.requests).toEqual([]);
});
