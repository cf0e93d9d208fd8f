import { expect, it } from 'vitest';
import { createEndedRuns } from './ended-runs.ts';

it('forgets the oldest run of a user with too many, and leaves those of others', () => {
  const forgotten: string[] = [];
  const ended = createEndedRuns({ ofUser: 3, ofServer: 5 }, (id) => forgotten.push(id));
  ended.add('ben', 'b1');
  for (const id of ['a1', 'a2', 'a3', 'a4', 'a5']) ended.add('ada', id);
  expect(forgotten).toEqual(['a1', 'a2']);
  ended.add('ben', 'b2');
  // The server is full: the user with the most runs gives one up.
  ended.add('cleo', 'c1');
  expect(forgotten).toEqual(['a1', 'a2', 'a3']);
  ended.remove('ada', 'a4');
  ended.remove('ada', 'a4');
  ended.add('cleo', 'c2');
  expect(forgotten).toHaveLength(3);
  ended.add('cleo', 'c3');
  expect(forgotten).toEqual(['a1', 'a2', 'a3', 'c1']);
});
