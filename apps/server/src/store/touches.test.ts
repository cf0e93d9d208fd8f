import { expect, it } from 'vitest';
import { createTouches } from './touches.ts';

const AT = new Date(1_000);
const LATER = new Date(2_000);

it('writes the latest use of each id together, in the order of the ids', async () => {
  const written: unknown[] = [];
  const touches = createTouches(async (rows) => written.push(rows), { everyMs: 60_000 });
  touches.touch('b', AT);
  touches.touch('a', AT);
  touches.touch('b', LATER);
  await touches.flush();
  await touches.close();
  expect(written).toEqual([
    [
      ['a', AT],
      ['b', LATER],
    ],
  ]);
});

it('keeps the times that could not be written for the next write', async () => {
  const written: unknown[] = [];
  const errors: unknown[] = [];
  let isDown = true;
  const touches = createTouches(
    async (rows) => {
      if (isDown) throw new Error('down');
      written.push(rows);
    },
    { everyMs: 60_000, onError: (error) => void errors.push(error) },
  );
  touches.touch('a', AT);
  await touches.flush();
  isDown = false;
  await touches.close();
  expect([errors.length, written]).toEqual([1, [[['a', AT]]]]);
});
