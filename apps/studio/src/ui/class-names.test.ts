import { expect, it } from 'vitest';
import { cn } from './class-names.ts';

it('joins the names that count', () => {
  expect(cn('a', false, undefined, 'b c', { d: true, e: false })).toBe('a b c d');
});
