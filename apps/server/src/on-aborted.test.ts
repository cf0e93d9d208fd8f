import { expect, it, vi } from 'vitest';
import { onAborted } from './on-aborted.ts';

it('calls once when the signal aborts, and at once after it has aborted', () => {
  const abort = new AbortController();
  const [before, after] = [vi.fn(), vi.fn()];
  onAborted(abort.signal, before);
  expect(before).not.toHaveBeenCalled();
  abort.abort();
  onAborted(abort.signal, after);
  expect([before.mock.calls.length, after.mock.calls.length]).toEqual([1, 1]);
});

it('does not call what was forgotten, nor without a signal', () => {
  const abort = new AbortController();
  const end = vi.fn();
  onAborted(abort.signal, end)();
  onAborted(undefined, end)();
  abort.abort();
  expect(end).not.toHaveBeenCalled();
});
