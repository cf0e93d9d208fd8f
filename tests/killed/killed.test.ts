import { describe, expect, it } from 'vitest';
import { CHANGES, type ChangeCall, killAtRandom, killDuring } from './harness.mjs';

/** Overwriting, adding, moving with new parents, copying and deleting; `npm run soak` kills at every point of all. */
const SOME = [0, 1, 3, 5, 7, 10].map((i) => CHANGES[i] as ChangeCall);

describe.skipIf(process.platform !== 'linux')('a process killed during a change', () => {
  it.each(SOME)('leaves no change without a record: %s %o', async (...call) => {
    const { isDone, problems } = await killDuring(call, 'before-record');
    expect([isDone, problems]).toEqual([false, []]);
  });

  it.each(SOME)('leaves no record of a change that was not made: %s %o', async (...call) => {
    const { isDone, undone, problems } = await killDuring(call, 'after-record');
    expect([isDone, problems]).toEqual([false, []]);
    // Parents that were made on the way are taken back.
    expect(undone).toBeLessThanOrEqual(1);
  });

  it('at a random moment leaves everything to be taken back', async () => {
    const { problems } = await killAtRandom(200);
    expect(problems).toEqual([]);
  });
});
