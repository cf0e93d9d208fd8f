import { expect, it } from 'vitest';
import { endedResult, isEnded } from './call-ends.ts';

it('says why a call has no response, for a model and for a program', () => {
  expect(endedResult('timeout', 30_000)).toEqual({
    ok: false,
    data: {
      error: 'The connected machine did not answer within 30 s. Ask for less at once, or try again',
      reason: 'timeout',
    },
  });
  const ends = ['cancelled', 'disconnected', 'superseded', 'closing', 'busy', 'not_connected'] as const;
  expect(new Set(ends.map((end) => endedResult(end, 1).data.error)).size).toBe(ends.length);
});

it('differs from a result of a machine that looks the same', () => {
  const own = endedResult('cancelled', 1);
  expect([isEnded(own), isEnded({ ...own })]).toEqual([true, false]);
});
