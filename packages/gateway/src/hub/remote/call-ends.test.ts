import { expect, it } from 'vitest';
import { endedResult, isEnded } from './call-ends.ts';

it('says why a call has no response, for a model and for a program', () => {
  const others = ['timeout', 'cancelled', 'disconnected', 'superseded', 'closing', 'busy', 'not_connected'] as const;
  expect(others.map((ended) => endedResult({ ended }, 30_000))).toEqual(
    [
      'The connected machine did not answer within 30 s. Ask for less at once, or try again',
      'The call was cancelled',
      'The machine was disconnected while the call was under way. Ask the user to connect it again',
      'A new connection, of this or another machine or directory, took the place of the one that had the call. List its files first',
      'The server is closing. Try again in a moment',
      'Too many calls wait for the connected machine. Wait for their results before making more',
      'The machine is not connected right now. Ask the user to connect it again',
    ].map((error, i) => ({ ok: false, data: { error, reason: others[i] } })),
  );
});

it('does not advise to repeat a change that may have been carried out', () => {
  const ends = ['timeout', 'cancelled', 'superseded'] as const;
  const advice = 'The call may have been carried out: check its effect before you repeat it';
  expect(ends.map((ended) => endedResult({ ended, mayHaveRun: true }, 30_000).data.error)).toEqual([
    `The connected machine did not answer within 30 s. ${advice}`,
    `The call was cancelled. ${advice}`,
    `A new connection, of this or another machine or directory, took the place of the one that had the call. ${advice}`,
  ]);
});

it('differs from a result of a machine that looks the same', () => {
  const own = endedResult({ ended: 'cancelled' }, 1);
  expect([isEnded(own), isEnded({ ...own })]).toEqual([true, false]);
});
