import { expect, it } from 'vitest';
import { ActiveAttempt } from './active-attempt.ts';

it('stops once, for the first reason', () => {
  const active = new ActiveAttempt({ runId: 'r', attempt: 2 });
  expect([active.attempt, active.signal.aborted, active.reason]).toEqual([
    { runId: 'r', attempt: 2 },
    false,
    undefined,
  ]);
  active.stop('lost');
  active.stop('cancelled');
  expect([active.signal.aborted, active.reason]).toEqual([true, 'lost']);
});
