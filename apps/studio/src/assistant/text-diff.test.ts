import { expect, it } from 'vitest';
import { diffTexts, valueText } from './text-diff.ts';

const old = (text: string) => ({ kind: 'old', text });
const fresh = (text: string) => ({ kind: 'new', text });
const same = (text: string) => ({ kind: 'same', text });

it('compares texts by words', () => {
  expect(diffTexts('notes.md has {words} words', '{words} words in notes.md')).toEqual([
    old('notes.md has '),
    same('{words} words'),
    fresh(' in notes.md'),
  ]);
  expect(diffTexts('a b c', 'a x c')).toEqual([same('a '), old('b'), fresh('x'), same(' c')]);
  expect(diffTexts('a b', 'a b')).toEqual([same('a b')]);
  expect(diffTexts('', 'a')).toEqual([fresh('a')]);
});

it('shows changed words that follow each other as one change', () => {
  expect(diffTexts('one two end', 'three four end')).toEqual([old('one two'), fresh('three four'), same(' end')]);
});

it('compares very long texts as a whole', () => {
  const words = (count: number, word: string) => `${word} `.repeat(count);
  const parts = diffTexts(`x ${words(400, 'a')}keep ${words(10, 'a')}y`, `z ${words(400, 'b')}keep ${words(10, 'b')}w`);
  expect(parts.map(({ kind }) => kind)).toEqual(['old', 'new']);
  const short = diffTexts(`x ${words(90, 'a')}keep y`, `z ${words(90, 'b')}keep w`);
  expect(short).toContainEqual(same(' keep '));
});

it('gives both texts back', () => {
  const samples = [
    '',
    'a',
    'a b c',
    'b c d',
    'x\ny\nz',
    'x\n\nz q',
    'a  b',
    'word '.repeat(700),
    `${'word '.repeat(699)}end`,
  ];
  for (const before of samples)
    for (const after of samples) {
      const parts = diffTexts(before, after);
      const text = (left: 'old' | 'new') =>
        parts.flatMap(({ kind, text: each }) => (kind === left ? [] : [each])).join('');
      expect([text('new'), text('old')]).toEqual([before, after]);
    }
});

it.each([
  [null, ''],
  [undefined, ''],
  ['text', 'text'],
  [7, '7'],
  [{ a: 1 }, '{\n  "a": 1\n}'],
])('shows the value %j as %j', (value, text) => {
  expect(valueText(value)).toBe(text);
});

it('keeps a space outside of a change, and takes one between two changes as changed', () => {
  expect(diffTexts(' b', ' c')).toEqual([same(' '), old('b'), fresh('c')]);
  expect(diffTexts('b ', 'c ')).toEqual([old('b'), fresh('c'), same(' ')]);
  expect(diffTexts(' ', 'n m')).toEqual([old(' '), fresh('n m')]);
  expect(diffTexts('n m', ' ')).toEqual([old('n m'), fresh(' ')]);
  expect(diffTexts('a-b', 'c-d')).toEqual([old('a'), fresh('c'), same('-'), old('b'), fresh('d')]);
});

it('takes words with letters, digits and underscores as one, and each sign alone', () => {
  expect(diffTexts('añb_1', 'añb_2')).toEqual([old('añb_1'), fresh('añb_2')]);
  expect(diffTexts('+-', '+*')).toEqual([same('+'), old('-'), fresh('*')]);
});

it('compares texts of up to 600 parts by words', () => {
  const long = (count: number) => `x${'-'.repeat(count - 2)}y`;
  const kept = (before: string, after: string) => diffTexts(before, after).some(({ kind }) => kind === 'same');
  expect([kept(long(600), 'z--w'), kept('z--w', long(600))]).toEqual([true, true]);
  expect([kept(long(601), 'z--w'), kept('z--w', long(601))]).toEqual([false, false]);
});
