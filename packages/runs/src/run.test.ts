import { expect, it } from 'vitest';
import { FINISHED, firstEventId } from './run.ts';

it('a run is finished when it has an end', () => {
  expect([...FINISHED].toSorted()).toEqual(['cancelled', 'completed', 'failed', 'timed_out']);
});

it('the events of a run begin after its event 0', () => {
  expect(firstEventId('r-1')).toBe('r-1.0');
});
