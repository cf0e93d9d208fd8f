import { expect, it, vi } from 'vitest';
import type { FollowedEvent } from '../canvas/run-state.ts';
import { createChatStore } from './chat-store.ts';
import { EMPTY_TRANSCRIPT } from './transcript.ts';

const token = (node: string, text: string): FollowedEvent => ({ kind: 'token', node, path: '', text });

it('keeps the answer of the nodes that write it, together with the run', () => {
  const store = createChatStore();
  const listener = vi.fn();
  store.subscribe(listener);
  store.begin(new Set(['a']));
  for (const event of [token('a', 'Hi '), token('b', 'aside'), token('a', 'you')]) store.add(event);
  expect(JSON.stringify(store.transcript())).toContain('Hi you');
  expect(JSON.stringify(store.transcript())).not.toContain('aside');
  expect([Object.keys(store.flush().nodes), listener.mock.calls.length]).toEqual([['a', 'b'], 1]);
});

it('forgets the run before', () => {
  const store = createChatStore();
  store.begin(new Set(['a']));
  store.add(token('a', 'Hi'));
  store.begin(new Set(['b']));
  expect(store.transcript()).toBe(EMPTY_TRANSCRIPT);
  store.add(token('a', 'Hi'));
  expect(JSON.stringify(store.transcript())).not.toContain('Hi');
});
