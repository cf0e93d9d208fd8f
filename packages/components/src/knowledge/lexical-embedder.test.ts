import { describe, expect, it } from 'vitest';
import { embedLexically, LEXICAL_DIMENSIONS, LEXICAL_EMBEDDER, normalised, wordsIn } from './lexical-embedder.ts';

describe('the lexical embedder', () => {
  it('gives unit vectors, the same for the same text', () => {
    const vector = embedLexically('Größer als Zürich');
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(embedLexically('Größer als Zürich')).toEqual(vector);
    expect(Math.hypot(...embedLexically('…'))).toBe(0);
  });

  it('ignores accents and case', () => {
    expect(embedLexically('CAFÉ')).toEqual(embedLexically('cafe'));
  });
});

const features = (text: string) =>
  [...embedLexically(text)].flatMap((value, at) => (value === 0 ? [] : [`${at}: ${value.toFixed(3)}`]));

it('has the same vector in every version, because it is stored', () => {
  expect([LEXICAL_EMBEDDER, LEXICAL_DIMENSIONS, embedLexically('a').length]).toEqual(['croft/lexical', 512, 512]);
  expect(features('ab')).toEqual(['228: -0.433', '284: -0.433', '458: 0.791']);
  expect(features('Longword a a')).toEqual([
    '15: 0.294',
    '46: 0.294',
    '75: -0.294',
    '277: 0.294',
    '294: 0.294',
    '300: -0.126',
    '356: 0.294',
    '416: 0.294',
    '487: 0.294',
    '495: -0.537',
    '496: -0.069',
  ]);
  expect(features('')).toEqual([]);
});

it('finds words of letters and digits', () => {
  expect(wordsIn('Größe: CAFÉ-Zürich, 3x ﬁn')).toEqual(['große', 'cafe', 'zurich', '3x', 'fin']);
  expect(wordsIn('…')).toEqual([]);
});

it('gives a vector the length of one', () => {
  expect([...normalised(Float32Array.of(3, 4))].map((each) => each.toFixed(2))).toEqual(['0.60', '0.80']);
  expect([...normalised(Float32Array.of(0, 0))]).toEqual([0, 0]);
});
