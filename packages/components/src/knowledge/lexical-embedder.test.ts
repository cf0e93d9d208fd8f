import { describe, expect, it } from 'vitest';
import { embedLexically } from './lexical-embedder.ts';

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
