import { expect, it } from 'vitest';
import { asSentence, shortLine } from './sentence.ts';

it.each([
  ['process is forbidden in components', 'process is forbidden in components.'],
  ['It ends.', 'It ends.'],
  ['Is it "so?"', 'Is it "so?"'],
  ['', ''],
])('ends %j as a sentence', (text, ended) => {
  expect(asSentence(text)).toBe(ended);
});

it.each([
  ['hello', 5, 'hello'],
  ['hello!', 5, 'hell…'],
  ['two words', 5, 'two…'],
  ['abc😀d', 5, 'abc…'],
] as const)('makes %j a line of at most %i', (line, maxChars, short) => {
  expect(shortLine(line, maxChars)).toBe(short);
});
