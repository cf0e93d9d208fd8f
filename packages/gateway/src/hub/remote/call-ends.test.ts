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
  const others = ['cancelled', 'disconnected', 'superseded', 'closing', 'busy', 'not_connected'] as const;
  expect(others.map((end) => endedResult(end, 1))).toEqual(
    [
      'The call was cancelled',
      'The machine was disconnected while the call was under way. Ask the user to connect it again',
      'Another machine or directory was connected while the call was under way. List its files first',
      'The server is closing. Try again in a moment',
      'Too many calls wait for the connected machine. Wait for their results before making more',
      'The machine is not connected right now. Ask the user to connect it again',
    ].map((error, i) => ({ ok: false, data: { error, reason: others[i] } })),
  );
});

it('differs from a result of a machine that looks the same', () => {
  const own = endedResult('cancelled', 1);
  expect([isEnded(own), isEnded({ ...own })]).toEqual([true, false]);
});
