import { expect, it, vi } from 'vitest';
import { assistantRequests, openAssistant } from './open-assistant.ts';

it('tells each page once for each request, until it is left', () => {
  const before = assistantRequests.get();
  const listener = vi.fn();
  const leave = assistantRequests.subscribe(listener);
  openAssistant();
  expect([assistantRequests.get() - before, listener.mock.calls.length]).toEqual([1, 1]);
  leave();
  openAssistant();
  expect([assistantRequests.get() - before, listener.mock.calls.length]).toEqual([2, 1]);
});
