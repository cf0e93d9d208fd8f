import { expect, it } from 'vitest';
import { didYouMean } from './did-you-mean.ts';

const NAMES = ['ChatInput', 'ChatOutput', 'LanguageModelComponent', 'Agent'];

it.each([
  ['ChatInptu', '; did you mean ChatInput?'],
  ['chatoutput', '; did you mean ChatOutput?'],
  ['LanguageModel', '; did you mean LanguageModelComponent?'],
  ['Agnt', '; did you mean Agent?'],
  ['Spreadsheet', ''],
  ['Agxyz', ''],
  ['Agexy', '; did you mean Agent?'],
  ['Ag', ''],
  ['Lan', '; did you mean LanguageModelComponent?'],
  ['xhatInput', '; did you mean ChatInput?'],
  ['ChatInputs', '; did you mean ChatInput?'],
  ['hatInput', '; did you mean ChatInput?'],
  ['hCatInput', '; did you mean ChatInput?'],
  ['x'.repeat(10_000), ''],
])('suggests for %s', (word, hint) => {
  expect(didYouMean(word, NAMES)).toBe(hint);
});

it('shows a prefix before the name and does not compare it', () => {
  expect(didYouMean('HOTS', ['HOST'], 'CROFT_')).toBe('; did you mean CROFT_HOST?');
  expect(didYouMean('TYPO', ['HOST'], 'CROFT_')).toBe('');
});

it('takes the first of the nearest names, and suggests nothing without names', () => {
  expect(didYouMean('a', ['bbb', 'ab', 'ac'])).toBe('; did you mean ab?');
  expect(didYouMean('a', [])).toBe('');
  expect(didYouMean('abc', ['abc'])).toBe('; did you mean abc?');
});

it('reads words of up to 64 characters', () => {
  const name = 'n'.repeat(66);
  expect(didYouMean('n'.repeat(64), [name])).toBe(`; did you mean ${name}?`);
  expect(didYouMean('n'.repeat(65), [name])).toBe('');
});

it('allows one change for three characters, and two for short words', () => {
  const hint = (word: string, name: string) => didYouMean(word, [name]) !== '';
  expect([hint('abc', 'abcxx'), hint('abcd', 'xxcd'), hint('abcd', 'xxxd')]).toEqual([true, true, false]);
  expect([hint('abcdefghij', 'xxxxefghij'), hint('abcdefghij', 'xxxxxfghij')]).toEqual([true, false]);
  expect([hint('aacdefg', 'xxxdefg'), hint('abcdefg', 'xxxxefg')]).toEqual([true, false]);
});
