import { expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { splitRequest } from './split-request.ts';

it('splits at words between steps, and not in quotes', () => {
  expect(splitRequest('read a.txt and then delete it')).toEqual(['read a.txt', 'delete it']);
  expect(splitRequest('Read a.txt.  Then   list files')).toEqual(['Read a.txt', 'list files']);
  expect(splitRequest('write "this and then that" , and read b.txt')).toEqual([
    'write "this and then that"',
    'read b.txt',
  ]);
  expect(splitRequest('read a.txt\n\n  and then list files')).toEqual(['read a.txt', 'list files']);
});

it.each([' ', '\n', ' \n', '\t,'])('takes little time for a request of %j', async (space) => {
  const request = `a${space.repeat(2_000)}b`.slice(0, 2_000);
  // More than 50 where each space is a beginning.
  await expect.poll(() => costOf(() => splitRequest(request))).toBeLessThan(5);
});
