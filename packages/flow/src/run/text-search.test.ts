import fc from 'fast-check';
import { expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { placesOf, replaceTexts } from './text-search.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });

it('finds each place, and removes what is in any of the places', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), word, (words, end) => {
      const wanted = `${'ab'.repeat(16)}${end}`;
      const text = words.map((each) => (each.length > 4 ? wanted : each)).join('');
      const places = (each: string) => [...text].flatMap((_, at) => (text.startsWith(each, at) ? [at] : []));
      expect([...placesOf(text, wanted)]).toEqual(places(wanted));
      expect([...placesOf(text, 'aba')]).toEqual(places('aba'));
      const all = [wanted, 'aba'].flatMap((each) => places(each).map((at) => [at, at + each.length] as const));
      const rest = [...text].filter((_, at) => !all.some(([start, end]) => start <= at && at < end));
      expect(replaceTexts(text, [wanted, 'aba'], '*').replaceAll('*', '')).toBe(rest.join(''));
    }),
    { numRuns: 500 },
  );
});

it('replaces texts that overlap together, in any order', () => {
  for (const wanted of [
    ['pass', 'password-1', 'word-1-more'],
    ['word-1-more', 'password-1', 'pass'],
  ])
    expect(replaceTexts('a pass, a password-1-more, passpass', wanted, '***')).toBe('a ***, a ***, ******');
});

it('takes time in proportion to both texts where they repeat', async () => {
  const text = 'a'.repeat(400_000);
  const secret = `${'a'.repeat(16_000)}b${'a'.repeat(16_000)}`;
  expect(replaceTexts(text, [secret], '***')).toBe(text);
  // More than 200 with replaceAll.
  await expect.poll(() => costOf(() => replaceTexts(text, [secret], '***'))).toBeLessThan(50);
});
