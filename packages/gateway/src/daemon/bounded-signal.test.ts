import { expect, it } from 'vitest';
import { boundedSignal } from './bounded-signal.ts';

const never = new Promise<string>(() => undefined);
const outcome = (work: Promise<string>) => work.catch((error: Error) => error.name);

it('ends with its parent, also one that has ended before', async () => {
  const parent = new AbortController();
  const bounded = boundedSignal(parent.signal, 60_000);
  const waiting = outcome(bounded.race(never));
  expect(bounded.signal.aborted).toBe(false);
  parent.abort();
  expect([bounded.signal.aborted, await waiting]).toEqual([true, 'AbortError']);
  expect(await outcome(bounded.race(never))).toBe('AbortError');
  const late = boundedSignal(parent.signal, 60_000);
  expect(late.signal.aborted).toBe(true);
  late.release();
  bounded.release();
});

it('ends after its time, and gives work that is done before', async () => {
  const bounded = boundedSignal(new AbortController().signal, 1);
  expect(await bounded.race(Promise.resolve('done'))).toBe('done');
  expect(await outcome(bounded.race(never))).toBe('AbortError');
  expect(bounded.signal.aborted).toBe(true);
});

it('leaves its parent alone once it is released', () => {
  const parent = new AbortController();
  const bounded = boundedSignal(parent.signal, 60_000);
  bounded.release();
  parent.abort();
  expect(bounded.signal.aborted).toBe(false);
});
