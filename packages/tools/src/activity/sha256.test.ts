import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from './sha256.ts';

it('gives the hash of node:crypto for every text and length', () => {
  const check = (text: string): void => {
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  };
  for (let length = 0; length < 200; length++) check('x'.repeat(length));
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), check), { numRuns: 300 });
});
