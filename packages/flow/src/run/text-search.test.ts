import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leastCpuMs, yardstickMs } from '../../../../tests/support/yardstick.ts';
import { placesOf, replaceEach } from './text-search.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });

it('finds each place, and replaces as replaceAll does', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), word, (words, end) => {
      const wanted = `${'ab'.repeat(16)}${end}`;
      const text = words.map((each) => (each.length > 4 ? wanted : each)).join('');
      const places = (each: string) => [...text].flatMap((_, at) => (text.startsWith(each, at) ? [at] : []));
      expect([...placesOf(text, wanted)]).toEqual(places(wanted));
      expect([...placesOf(text, 'aba')]).toEqual(places('aba'));
      expect(replaceEach(text, wanted, '***')).toBe(text.replaceAll(wanted, '***'));
      expect(replaceEach(text, 'aba', '***')).toBe(text.replaceAll('aba', '***'));
    }),
    { numRuns: 500 },
  );
});

it('takes time in proportion to both texts where they repeat', () => {
  const text = 'a'.repeat(400_000);
  const secret = `${'a'.repeat(16_000)}b${'a'.repeat(16_000)}`;
  expect(replaceEach(text, secret, '***')).toBe(text);
  // More than 200 with replaceAll.
  expect(leastCpuMs(() => replaceEach(text, secret, '***'), 2) / yardstickMs()).toBeLessThan(50);
});
