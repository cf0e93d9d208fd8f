import { expect, it } from 'vitest';
import { isEnd } from './events.ts';

it('ends a turn with a result, an error or a cancellation, and with nothing else', () => {
  const ends = ['complete', 'error', 'cancelled', 'token', 'run_finished', 'notice'].map((event) =>
    isEnd({ event } as never),
  );
  expect(ends).toEqual([true, true, true, false, false, false]);
});
