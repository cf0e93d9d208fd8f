import { expect, it } from 'vitest';
import { outcomeOf } from './outcome.ts';

const outcome = (
  done: number,
  more: { endsInFailure?: boolean; leftOut?: string[]; isStopped?: boolean; isOffline?: boolean },
) =>
  outcomeOf(
    { done, endsInFailure: more.endsInFailure ?? false },
    { leftOut: more.leftOut ?? [], isStopped: more.isStopped ?? false, isOffline: more.isOffline ?? false },
  );

it('is done where nothing was left out, also for an answer without a call', () => {
  expect([outcome(0, {}), outcome(2, {}), outcome(1, { isOffline: true })]).toEqual(['done', 'done', 'done']);
});

it('is done in part, or not at all, where a part was left out or a limit ended the turn', () => {
  for (const more of [{ leftOut: ['x'] }, { isStopped: true }, { isOffline: true, endsInFailure: true }])
    expect([outcome(1, more), outcome(0, more)], JSON.stringify(more)).toEqual(['partly_done', 'not_done']);
});

it('counts a failed last call only of the rules of croft/offline: a model may answer without it', () => {
  expect(outcome(0, { endsInFailure: true })).toBe('done');
});
