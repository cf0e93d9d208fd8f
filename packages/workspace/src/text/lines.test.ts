import { expect, it } from 'vitest';
import { hasOtherBreaks, numberLines, numberPrefix, splitLines } from './lines.ts';

it('splits at line feeds as grep does, without a carriage return before them', () => {
  expect(splitLines('a\r\nb\nc\rd', 'newline')).toEqual(['a', 'b', 'c\rd']);
  expect(splitLines('a\u2028b\fc', 'newline')).toEqual(['a\u2028b\fc']);
});

it('splits at each break of Python', () => {
  expect(splitLines('a\r\nb\rc\vd\fe\x1cf\x1dg\x1eh\x85i\u2028j\u2029k', 'universal')).toEqual([...'abcdefghijk']);
});

it.each(['newline', 'universal'] as const)('adds no line for the last break, and keeps empty ones, rule %s', (rule) => {
  expect(splitLines('', rule)).toEqual([]);
  expect(splitLines('\n', rule)).toEqual(['']);
  expect(splitLines('a\n\nb\n', rule)).toEqual(['a', '', 'b']);
});

it('tells where the two rules differ', () => {
  for (const text of ['a\nb', 'a\r\nb', '']) expect(hasOtherBreaks(text), JSON.stringify(text)).toBe(false);
  for (const text of ['a\rb', 'a\r', 'a\vb', 'a\x85b', 'a\u2029b'])
    expect(hasOtherBreaks(text), JSON.stringify(text)).toBe(true);
});

it('numbers lines in six columns, and wider where they need it', () => {
  expect(numberLines(['x', 'y'], 9)).toBe('     9→x\n    10→y');
  expect(numberPrefix(1_234_567)).toBe('1234567→');
  // The cached prefixes are the same as the computed ones.
  const all = Array.from({ length: 5_000 }, (_, number) => numberPrefix(number));
  expect(all).toEqual(all.map((_, number) => `${String(number).padStart(6)}→`));
});
