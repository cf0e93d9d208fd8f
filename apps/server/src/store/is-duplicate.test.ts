import { expect, it } from 'vitest';
import { isDuplicate } from './is-duplicate.ts';

it('recognizes the refusal of a unique index, also as the cause of another error', () => {
  expect(isDuplicate(Object.assign(new Error('x'), { code: '23505' }))).toBe(true);
  expect(isDuplicate(new Error('query failed', { cause: { code: '23505' } }))).toBe(true);
});

it('takes no other failure for it', () => {
  for (const other of [new Error('23505'), { code: '23503' }, { cause: { code: '40001' } }, null, undefined, '23505'])
    expect(isDuplicate(other)).toBe(false);
});
