import { expect, it } from 'vitest';
import { inTurns } from './parts.ts';

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
