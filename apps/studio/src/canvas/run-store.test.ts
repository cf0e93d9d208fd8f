import { act, createElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePage } from '../testing/page.ts';
import { applyRunEvents, type FollowedEvent, NO_RUN, type RunState } from './run-state.ts';
import { createRunStore, RunStoreContext, useCanStartAt, useNodeRun, useRun } from './run-store.ts';

const page = usePage();
afterEach(() => void vi.useRealTimers());

const started = (node: string): FollowedEvent => ({ kind: 'node_started', node, path: '', inputs: {} });
const running: FollowedEvent = { kind: 'run_started', nodes: 2 };

it('applies events together, 25 times a second, and the end at once', () => {
  vi.useFakeTimers();
  const store = createRunStore();
  const listener = vi.fn();
  store.subscribe(listener);
  for (const event of [running, started('a'), started('b')]) store.add(event);
  expect([store.get(), listener.mock.calls.length]).toEqual([NO_RUN, 0]);
  vi.advanceTimersByTime(39);
  expect(listener).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect([Object.keys(store.get().nodes), listener.mock.calls.length]).toEqual([['a', 'b'], 1]);
  store.add(started('c'));
  store.add({ kind: 'run_finished', status: 'completed', text: '', metrics: {} } as never);
  expect([store.get().status, listener.mock.calls.length]).toEqual(['completed', 2]);
  vi.advanceTimersByTime(100);
  expect(listener).toHaveBeenCalledTimes(2);
});

it('drops events that wait when the state is replaced, and says nothing of the same state', () => {
  vi.useFakeTimers();
  const store = createRunStore();
  const listener = vi.fn();
  store.subscribe(listener);
  store.add(started('a'));
  const next: RunState = { ...NO_RUN, status: 'failed' };
  store.set(next);
  vi.advanceTimersByTime(100);
  expect(store.get()).toBe(next);
  store.set(next);
  expect(listener).toHaveBeenCalledOnce();
});

it('gives the state with the events that wait', () => {
  const store = createRunStore();
  store.add(running);
  store.add(started('a'));
  expect(store.flush()).toBe(store.get());
  expect(store.get().nodes['a']?.status).toBe('running');
});

const ENDED = { a: { status: 'done', rounds: 1, text: '' } } as const;

it('gives a component the run and its own part of it', async () => {
  const store = createRunStore();
  const question = { key: 'k', node: 'a', text: '?', options: [], context: '', askedAt: '', answer: null };
  store.set({ ...applyRunEvents(NO_RUN, [running, started('a')]), questions: [question] as never, stored: 'r' });
  const Probe = ({ id }: { id: string }) => {
    const { status, run, question: asked, isChanged } = useNodeRun(id);
    return JSON.stringify([useRun().status, status, run?.rounds, asked?.key, isChanged, useCanStartAt(id)]);
  };
  const box = await page.show(
    createElement(
      RunStoreContext,
      { value: store },
      ['a', 'b'].map((id) => createElement('p', { key: id }, createElement(Probe, { id }))),
    ),
  );
  const shown = () => [...box.querySelectorAll('p')].map((each) => JSON.parse(each.textContent) as unknown);
  expect(shown()).toEqual([
    ['running', 'asking', 1, 'k', false, false],
    ['running', 'waiting', null, null, false, false],
  ]);
  await act(async () => store.set({ ...store.get(), status: 'completed', nodes: ENDED, changed: new Set(['a']) }));
  expect(shown()).toMatchObject([
    ['completed', expect.anything(), 1, 'k', true, true],
    ['completed', expect.anything(), null, null, false, false],
  ]);
});
