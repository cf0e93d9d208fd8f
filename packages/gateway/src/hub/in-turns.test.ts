import { expect, it } from 'vitest';
import { inTurns } from './in-turns.ts';

it('long work lets other work run, and keeps its order and result', async () => {
  let others = 0;
  const timer = setInterval(() => others++, 0);
  const seen: number[] = [];
  function* work(): Generator<void, string> {
    for (let i = 0; i < 5; i++) {
      const end = performance.now() + 12;
      while (performance.now() < end);
      seen.push(i);
      yield;
    }
    return 'done';
  }
  expect(await inTurns(work())).toBe('done');
  clearInterval(timer);
  expect(seen).toEqual([0, 1, 2, 3, 4]);
  expect(others).toBeGreaterThan(1);
});
