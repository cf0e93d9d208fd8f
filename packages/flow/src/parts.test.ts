import { expect, it } from 'vitest';
import { inTurns, toEnd } from './parts.ts';
import { sliceMs } from './run/next-turn.ts';

it('lets other requests run between parts that take long, and gives the result', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  let time = 0;
  const parts = (function* () {
    for (let part = 0; part < 30; part++) yield;
    return 'result';
  })();
  // A clock that advances with each reading.
  const result = await inTurns(parts, { now: () => (time += 25) });
  isDone = true;
  expect(result).toBe('result');
  expect(turns).toBeGreaterThanOrEqual(20);
});

it('does no further part after its signal aborted', async () => {
  const stop = new AbortController();
  let parts = 0;
  let time = 0;
  const endless = (function* () {
    for (;;) {
      parts++;
      yield;
    }
  })();
  setImmediate(() => stop.abort(new Error('stopped')));
  await expect(inTurns(endless, { signal: stop.signal, now: () => (time += 25) })).rejects.toThrow('stopped');
  const before = parts;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(parts).toBe(before);
});

it('does all parts at once', () => {
  let done = 0;
  const parts = (function* () {
    for (; done < 5; done++) yield;
    return 'result';
  })();
  expect([toEnd(parts), done]).toEqual(['result', 5]);
});

it('takes a turn after a part only once the time of a slice is over', async () => {
  const readings = [0, sliceMs() - 1, sliceMs(), 1_000, 1_000 + sliceMs() - 1, 1_000 + sliceMs(), 2_000];
  let read = 0;
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  const parts = (function* () {
    for (let part = 0; part < 4; part++) yield;
    return read;
  })();
  setImmediate(count);
  // Each turn reads the clock once more.
  const reads = await inTurns(parts, { now: () => readings[read++] as number });
  isDone = true;
  expect([reads, turns > 0]).toEqual([7, true]);
});
