import { expect, it } from 'vitest';
import { Problem } from '../problem.ts';
import { createQueueRoom, requireRoom } from './queue-room.ts';

const MIB = 1024 * 1024;
const limits = { runs: 3, bytes: 4 * MIB };
const check = (count: number, bytes: number, added: number, of?: typeof limits) =>
  requireRoom(
    { openOf: async (userId) => (userId === 'ada' ? { count, bytes } : { count: 0, bytes: 0 }) },
    'ada',
    added,
    of,
  );
const busy = (message: string) => new Problem(429, 'busy', message, { 'Retry-After': '60' });

it('refuses a run above the number of runs of a user', async () => {
  await check(2, 0, 1, limits);
  await expect(check(3, 0, 1, limits)).rejects.toEqual(
    busy('3 of your runs have not ended. Try again when some have.'),
  );
});

it('refuses a run above the bytes of a user, and lets one large run in', async () => {
  await check(2, 3 * MIB, MIB, limits);
  await check(0, 0, 8 * MIB, limits);
  await expect(check(1, 3 * MIB + 1, MIB, limits)).rejects.toEqual(
    busy('Your 1 runs that have not ended keep flows of 4 MiB, and at most 4 MiB are kept. Try again when some have.'),
  );
});

it('lets a user have 2,000 runs and 256 MiB of flows', async () => {
  await check(1_999, 255 * MIB, MIB);
  await expect(check(2_000, 0, 0)).rejects.toEqual(busy('2000 of your runs have not ended. Try again when some have.'));
  await expect(check(1_999, 255 * MIB, MIB + 1)).rejects.toEqual(
    busy(
      'Your 1999 runs that have not ended keep flows of 255 MiB, and at most 256 MiB are kept. Try again when some have.',
    ),
  );
});

it('counts runs that are about to be stored, until they are stored or refused', async () => {
  const room = createQueueRoom(limits);
  let stored = 0;
  const reader = { openOf: async () => ({ count: stored, bytes: 0 }) };
  const take = (userId: string, queue = async () => void stored++) => room.take(reader, { userId, bytes: 1 }, queue);
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => take('ada')));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(stored).toBe(3);
  await expect(take('ada')).rejects.toMatchObject({ code: 'busy' });
  stored = 0;
  await expect(take('ada', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  expect(await Promise.allSettled(['ada', 'ben', 'ada', 'ada'].map((userId) => take(userId)))).toMatchObject(
    Array(4).fill({ status: 'fulfilled' }),
  );
});

it('counts the bytes of runs that are about to be stored', async () => {
  const room = createQueueRoom(limits);
  const reader = { openOf: async () => ({ count: 0, bytes: 0 }) };
  const sizes = [3 * MIB, 2 * MIB];
  const outcomes = await Promise.allSettled(
    sizes.map((bytes) => room.take(reader, { userId: 'ada', bytes }, async () => bytes)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});
