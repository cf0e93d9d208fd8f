import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import { checkPattern, createMatcher, nestsQuantifiers, requiredLiteral } from './line-matcher.ts';

const regex = (pattern: string, caseInsensitive = false) => ({ pattern, isRegex: true, caseInsensitive });
const message = (pattern: string) => {
  try {
    checkPattern(regex(pattern), DEFAULT_LIMITS);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

describe('the rule against catastrophic patterns', () => {
  it.each([
    '(a+)+',
    '(a*)*',
    '(.*)+',
    '(\\w+)+',
    '(a|aa)+',
    '(ab+)+',
    '(a{2,3})*',
    '(a{2,})+',
    '(?:a|b)*',
    '(x+x+)+y',
    '(a+)+?',
    '^(a+)+$',
  ])('rejects %s', (pattern) => {
    expect(message(pattern)).toBe(
      'Regex pattern rejected: nested unbounded quantifier (catastrophic-backtracking risk). Rewrite without an outer +/* on a group that already contains +, *, {n,}, or |, or use literal mode (is_regex=False).',
    );
  });
  it.each(['(ab)+', '(a+){2,}', '((a)+)+', '((ab)*)*', '[a+]+', '(a\\+)+', '(a+)?', 'a+b+', '([(+])x*', '\\(a+\\)+'])(
    'accepts %s',
    (pattern) => {
      expect(nestsQuantifiers(pattern)).toBe(false);
      expect(message(pattern)).toBe('accepted');
    },
  );
  it('refuses what is too long, empty or no pattern, in words of its own', () => {
    expect(message('a'.repeat(1_025))).toBe(
      'Regex pattern exceeds 1024 chars; shorten it or use literal mode (is_regex=False).',
    );
    expect(message('(')).toMatch(/^Invalid regex pattern: /);
    expect(message('')).toBe('Pattern must not be empty');
  });
});

describe('spellings of other engines', () => {
  it.each<[string, string, boolean]>([
    ['(?i)ABC', 'xabcx', true],
    ['\\Aabc\\Z', 'abc', true],
    ['\\Aabc', 'xabc', false],
    ['C:\\\\App', 'C:\\App', true],
    ['\\\\Zoo', '\\Zoo', true],
    ['\\\\p{x}', '\\p{x}', true],
    ['(?P<a>x)(?P=a)', 'xx', true],
    ['\\(?P<', '(P<', true],
    ['\\p{Lu}', 'É', true],
    ['a\\Ab', 'ab', false],
  ])('%s on %s is %s', (pattern, line, is) => {
    const search = regex(pattern);
    if (message(pattern) !== 'accepted') throw new Error(message(pattern));
    expect(createMatcher(search).matchesLine(line)).toBe(is);
  });
});

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
