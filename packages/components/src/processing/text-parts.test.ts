import type { Parts } from '@croft/flow';
import { expect, it } from 'vitest';
import { firstCharacters, lastCharacters, titleCase } from './text-parts.ts';

function finish<Value>(parts: Parts<Value>): { value: Value; pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = parts.next();
    if (step.done === true) return { value: step.value, pauses };
  }
}

it('begins each word with a capital', () => {
  expect(finish(titleCase("the QUICK ünï o'neil 2nd-HAND ßa")).value).toBe("The Quick Ünï O'neil 2nd-Hand SSa");
});

it('pauses in long texts, between words', () => {
  const text = 'abcd '.repeat(40_000);
  const { value, pauses } = finish(titleCase(text));
  expect(value).toBe('Abcd '.repeat(40_000));
  expect(pauses).toBeGreaterThan(3);
  const solid = 'a'.repeat(200_000);
  expect(finish(titleCase(solid)).value.length).toBe(solid.length);
});

it('counts a character of two code units once, from both ends', () => {
  const text = 'a😀b😀';
  expect([0, 1, 2, 3, 9].map((count) => firstCharacters(text, count))).toEqual(['', 'a', 'a😀', 'a😀b', text]);
  expect([0, 1, 2, 4, 9].map((count) => lastCharacters(text, count))).toEqual(['', '😀', 'b😀', text, text]);
});
