import { expect, it } from 'vitest';
import { asSentence } from './sentence.ts';

it.each([
  ['process is forbidden in components', 'process is forbidden in components.'],
  ['It ends.', 'It ends.'],
  ['Is it "so?"', 'Is it "so?"'],
  ['', ''],
])('ends %j as a sentence', (text, ended) => {
  expect(asSentence(text)).toBe(ended);
});
