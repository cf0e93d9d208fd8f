import { expect, it } from 'vitest';
import { portsOf, textsOf } from '../testing.ts';
import { TextStatistics } from './text-statistics.ts';

const counts = (text_input: unknown) => Object.values(Object.assign(new TextStatistics(), { text_input }).run().data);

it.each([
  ['', [0, 0, 0, 0]],
  ['one', [1, 3, 1, 1]],
  ['one two\nthree\n', [3, 14, 2, 1]],
  ['a\n\nb', [2, 4, 3, 2]],
  ['a\n\n\n\nb', [2, 6, 5, 2]],
  ['a\n \nb', [2, 5, 3, 2]],
  ["don't re-use it’s", [3, 17, 1, 1]],
  ["'quoted' - x", [2, 12, 1, 1]],
  ['a--b', [2, 4, 1, 1]],
  ['é𝒜 😀', [1, 4, 1, 1]],
  ['1.5', [2, 3, 1, 1]],
  ['\n', [0, 1, 1, 0]],
])('counts words, characters, lines and paragraphs of %j', (text, expected) => {
  expect(counts(text)).toEqual(expected);
});

it('counts the text of a message', () => {
  expect(counts({ text: 'two words' })[0]).toBe(2);
});

it('has ports that stored flows name', () => {
  expect(portsOf(new TextStatistics())).toEqual([
    'text_input: multiline Message required toolParameter',
    'data: gives Data',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(new TextStatistics())).toEqual([
    'Text statistics (hash): Counts words, characters, lines and paragraphs of a text.',
    '',
    'text_input: Text',
    'data: Counts',
  ]);
});
