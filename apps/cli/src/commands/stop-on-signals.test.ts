import { afterEach, expect, it, vi } from 'vitest';
import { stopOnSignals } from './stop-on-signals.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const before = SIGNALS.map((signal) => process.listeners(signal));
afterEach(() => {
  vi.restoreAllMocks();
  for (const [at, signal] of SIGNALS.entries())
    for (const listener of process.listeners(signal))
      if (!before[at]?.includes(listener)) process.off(signal, listener);
});
/** Calls the listeners that were added, as the signal would. */
const raise = (signal: (typeof SIGNALS)[number]) => {
  for (const listener of process.listeners(signal))
    if (!before[SIGNALS.indexOf(signal)]?.includes(listener)) listener(signal);
};

it.each(SIGNALS)('stops once at %s, and ends at the second signal', (signal) => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const stop = vi.fn(async () => undefined);
  const isStopping = stopOnSignals(stop);
  expect(isStopping()).toBe(false);
  raise(signal);
  expect([isStopping(), stop.mock.calls.length, exit.mock.calls]).toEqual([true, 1, []]);
  raise(signal);
  expect(exit).toHaveBeenCalledWith(1);
});
