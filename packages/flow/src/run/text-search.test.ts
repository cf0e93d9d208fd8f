import fc from 'fast-check';
import { expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { begunAtEnd, placesOf, replaceTexts } from './text-search.ts';

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

const LONG = `${'x'.repeat(40)}y`;

it.each([
  ['', 'ab', []],
  ['abab', 'ab', [0, 2]],
  ['aaa', 'aa', [0, 1]],
  [LONG, LONG, [0]],
  [`-${LONG}`, LONG, [1]],
  [`x${LONG}${LONG}-`, LONG, [1, 42]],
  ['x'.repeat(43), 'x'.repeat(41), [0, 1, 2]],
  [LONG.slice(1), LONG, []],
  ['x'.repeat(60), LONG, []],
])('in %j it finds %j at %j', (text, wanted, places) => {
  expect([...placesOf(text, wanted)]).toEqual(places);
});

it.each([
  ['', 'key', 0],
  ['key', 'key', 0],
  ['my ke', 'key', 2],
  ['k', 'key', 1],
  ['kek', 'keky', 3],
  ['kekek', 'kekez', 3],
  ['kez', 'key', 0],
  ['aaaa', 'aaab', 3],
  ['aaaa', 'aaaa', 3],
  ['abxab', 'abxaby', 5],
])('%j ends with the beginning of %j: %i characters', (text, secret, length) => {
  expect(begunAtEnd(text, secret)).toBe(length);
});

it('takes time in proportion to both texts where they repeat', async () => {
  const text = 'a'.repeat(400_000);
  const secret = `${'a'.repeat(16_000)}b${'a'.repeat(16_000)}`;
  expect(replaceTexts(text, [secret], '***')).toBe(text);
  // More than 200 with replaceAll.
  await expect.poll(() => costOf(() => replaceTexts(text, [secret], '***'))).toBeLessThan(50);
});
