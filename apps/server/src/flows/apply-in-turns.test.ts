import { type Edit, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { applyInTurns } from './apply-in-turns.ts';

const renames = (count: number): Edit[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'set_details', name: `name ${index}` }));

/** A clock that advances with each reading. */
const clockOf = (stepMs: number) => {
  let time = 0;
  return () => (time += stepMs);
};

it('lets other requests run between edits that take long', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const { document, inverses } = await applyInTurns(emptyFlow(), renames(30), clockOf(25));
  isDone = true;
  expect([document.name, inverses.length]).toEqual(['name 29', 30]);
  expect(turns).toBeGreaterThanOrEqual(29);
});

it('refuses edits that take longer than one request may', async () => {
  await expect(applyInTurns(emptyFlow(), renames(300), clockOf(25))).rejects.toMatchObject({ code: 'too_large' });
});
