import { expect, it } from 'vitest';
import { requireRoom } from './queue-room.ts';

const MIB = 1024 * 1024;
const limits = { runs: 3, bytes: 4 * MIB };
const check = (count: number, bytes: number, added: number) =>
  requireRoom({ openOf: async () => ({ count, bytes }) }, 'ada', added, limits);

it('refuses a run above the number or the bytes of a user, and lets one large run in', async () => {
  await check(2, 3 * MIB, MIB);
  await expect(check(3, 0, 1)).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('3 of your runs'),
  });
  await expect(check(1, 3 * MIB + 1, MIB)).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('keep flows of 4 MiB, and at most 4 MiB'),
  });
  await check(0, 0, 8 * MIB);
});
