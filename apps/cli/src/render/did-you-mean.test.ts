import { expect, it } from 'vitest';
import { didYouMean } from './did-you-mean.ts';

const NAMES = ['ChatInput', 'ChatOutput', 'LanguageModelComponent', 'Agent'];

it.each([
  ['ChatInptu', '; did you mean ChatInput?'],
  ['chatoutput', '; did you mean ChatOutput?'],
  ['LanguageModel', '; did you mean LanguageModelComponent?'],
  ['Agnt', '; did you mean Agent?'],
  ['Spreadsheet', ''],
  ['x'.repeat(10_000), ''],
])('suggests for %s', (word, hint) => {
  expect(didYouMean(word, NAMES)).toBe(hint);
});
