import type { RunEvent } from '@croft/flow';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WaitWatch } from './wait-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const event = (kind: string, more: object = {}) => ({ kind, node: 'N', path: '', ...more }) as unknown as RunEvent;
const start = (node: string) => event('node_started', { node });

/** A watch whose nodes have started, and whether it found the run quiet. */
function watchOf(started: number) {
  const onQuiet = vi.fn();
  const watch = new WaitWatch(onQuiet);
  for (const node of ['N', 'O'].slice(0, started)) watch.see(start(node));
  const stop = new AbortController();
  const wait = (key: string) => void watch.wait(key, stop.signal).catch(() => undefined);
  const isQuiet = () => {
    vi.advanceTimersByTime(100);
    return onQuiet.mock.calls.length > 0;
  };
  return { watch, wait, stop, isQuiet };
}

it('is quiet when every node under way waits for a person', () => {
  const { watch, wait, isQuiet } = watchOf(2);
  wait('a');
  expect(isQuiet()).toBe(false);
  wait('b');
  expect(watch.keys).toEqual(['a', 'b']);
  expect(isQuiet()).toBe(true);
});

it.each(['node_finished', 'node_failed', 'node_cancelled'])('counts a node that ends by %s', (kind) => {
  const { watch, wait, isQuiet } = watchOf(2);
  wait('a');
  watch.see(event(kind));
  expect(isQuiet()).toBe(true);
});

it('does not count the end of a pinned node, which never started', () => {
  const { watch, wait, isQuiet } = watchOf(2);
  wait('a');
  watch.see(event('node_finished', { node: 'P', source: 'pinned' }));
  watch.see(event('token'));
  expect(isQuiet()).toBe(false);
});

it('does not count a node that failed before it started', () => {
  const { watch, wait, isQuiet } = watchOf(2);
  wait('a');
  watch.see(event('node_failed', { node: 'P', handled: true }));
  expect(isQuiet()).toBe(false);
});

it('counts each round of a node', () => {
  const { watch, wait, isQuiet } = watchOf(1);
  wait('a');
  watch.see(event('node_started', { path: 'L[0]' }));
  expect(isQuiet()).toBe(false);
  watch.see(event('node_finished', { path: 'L[0]', source: 'computed' }));
  expect(isQuiet()).toBe(true);
});

it('is not quiet where a node starts in the moment after the question', () => {
  const { watch, wait, isQuiet } = watchOf(1);
  wait('a');
  vi.advanceTimersByTime(10);
  watch.see(start('O'));
  expect(isQuiet()).toBe(false);
});

it('is never quiet without a question', () => {
  expect(watchOf(0).isQuiet()).toBe(false);
  const { watch, isQuiet } = watchOf(1);
  watch.see(event('node_finished'));
  expect(isQuiet()).toBe(false);
});

it('ends a wait when the run is stopped, also one that begins later, and leaves nothing to call', async () => {
  const { watch, stop, isQuiet } = watchOf(1);
  const waiting = watch.wait('a', stop.signal);
  const ended = expect(waiting).rejects.toThrow('waits for an answer');
  stop.abort();
  await ended;
  expect(isQuiet()).toBe(false);
  await expect(watch.wait('b', stop.signal)).rejects.toThrow('waits for an answer');
});
