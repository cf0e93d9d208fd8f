import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requiredLiteral } from './required-literal.ts';

describe('the literal every match must contain', () => {
  it.each<[string, string | undefined]>([
    ['foobar', 'foobar'],
    ['foo.*barbaz', 'barbaz'],
    ['foo|bar', undefined],
    ['fo+bar', 'bar'],
    ['foob?ar', 'foo'],
    ['(foo)bar', 'bar'],
    ['fo\\.ba', 'fo.ba'],
    ['\\bfoo\\b', 'foo'],
    ['ab{0,2}cd', 'cd'],
    ['[abc]def', 'def'],
    ['a', undefined],
    ['\\x41bc', undefined],
    ['a*', undefined],
    ['(?!abc)defg', 'defg'],
    ['a😀?', undefined],
    ['😀ab', undefined],
    ['ab', 'ab'],
    ['ab*c', undefined],
    ['ab.cde', 'cde'],
    ['abc^d', 'abc'],
    ['ab$cde', 'cde'],
    ['abc+de', 'abc'],
    ['ab+cd', 'ab'],
    ['ab\\', 'ab'],
    ['ab\\.c\\d', 'ab.c'],
    ['ab\\d\\wcdef', 'cdef'],
    ['a\\b\\bcd', 'cd'],
    ['ab\\zcd', 'ab'],
    ['a{2}bc', 'bc'],
    ['ab{cd', undefined],
    ['\\u0041bc', undefined],
    ['\\cAbc', undefined],
    ['\\p{L}bc', undefined],
    ['\\P{L}bc', undefined],
    ['(?<n>a)\\k<n>bc', undefined],
    ['(a)\\1bc', undefined],
    ['(ab', undefined],
    ['[ab', undefined],
    ['[]ab', undefined],
    ['([ab)cd', undefined],
    ['[]ab]cd', 'cd'],
    ['[^]ab]cde', 'ab]cde'],
    ['[\\]ab]cd', 'cd'],
    ['(a\\)bc)de', 'de'],
    ['([)abc])de', 'de'],
    ['((a)bcd)ef', 'ef'],
    ['(a(bcd))ef', 'ef'],
  ])('of %s is %j', (pattern, literal) => {
    expect(requiredLiteral(pattern)).toBe(literal);
  });
  it('never leaves a match out', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'ab',
      '.',
      '\\.',
      '\\d',
      '\\b',
      '[ab]',
      '[^a]',
      '(ab)',
      '(?:a|b)',
      '(?=a)',
      '(?!b)',
      '^',
      '$',
      '\\\\',
      '{',
      '}',
      'é',
      '😀',
      '[]a]',
      '\\/',
    );
    const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{0,2}', '{2}', '*?', '+?', '??', '{1,}');
    const pattern = fc
      .array(fc.tuple(atom, quantifier), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.map((part) => part.join('')).join(''));
    const line = fc
      .array(fc.constantFrom('a', 'b', 'ab', '.', '1', '\\', '{', '}', 'é', '😀', ']', '/', ' '), { maxLength: 12 })
      .map((parts) => parts.join(''));
    let compared = 0;
    fc.assert(
      fc.property(pattern, line, (source, text) => {
        let compiled: RegExp;
        try {
          compiled = new RegExp(source);
        } catch {
          return;
        }
        const literal = requiredLiteral(source);
        if (literal === undefined || !compiled.test(text)) return;
        compared++;
        expect(text).toContain(literal);
      }),
      { numRuns: 100_000 },
    );
    expect(compared).toBeGreaterThan(100);
  });
});
