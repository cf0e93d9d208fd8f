import { expect, it } from 'vitest';
import { z } from 'zod';
import { listOf } from './bounded-list.ts';

it('takes a list up to its length, and checks no element of a longer one', () => {
  let checked = 0;
  const element = z.unknown().refine(() => {
    checked++;
    return true;
  });
  const list = listOf(element, 2);
  expect([[], [1], [1, 2]].every((value) => list.safeParse(value).success)).toBe(true);
  checked = 0;
  for (const value of [[1, 2, 3], 'ab', { length: 1 }, null])
    expect(list.safeParse(value).error?.issues[0]?.message).toBe('must be a list of at most 2 entries');
  expect(checked).toBe(0);
  expect(listOf(z.number(), 2).safeParse(['a']).success).toBe(false);
});
