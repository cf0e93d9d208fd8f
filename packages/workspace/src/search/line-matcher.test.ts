import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import { refusalOf } from '../testing.ts';
import { checkPattern, createMatcher } from './line-matcher.ts';
import { nestsQuantifiers } from './may-backtrack.ts';

const regex = (pattern: string, caseInsensitive = false) => ({ pattern, isRegex: true, caseInsensitive });
const message = (pattern: string) => refusalOf(() => checkPattern(regex(pattern), DEFAULT_LIMITS, true));

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
  it('applies only where a contract asks for it', () => {
    expect(() => checkPattern(regex('(foo|bar)+'), DEFAULT_LIMITS, false)).not.toThrow();
  });
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

describe('a matcher', () => {
  const shown = (pattern: string, { isRegex = true, caseInsensitive = false } = {}) => {
    const compiled: string[] = [];
    const compileRe2 = (expression: string) => {
      compiled.push(expression);
      return { test: (line: string) => line === 'match' };
    };
    const matcher = createMatcher({ pattern, isRegex, caseInsensitive }, compileRe2);
    return {
      required: matcher.required?.toString(),
      over: matcher.overText && String(matcher.overText),
      isRegex: matcher.isRegex,
      compiled,
      matches: ['abc', 'ABC', 'match'].filter((line) => matcher.matchesLine(line)),
    };
  };
  const none = { required: undefined, over: undefined, isRegex: true, compiled: [], matches: [] };

  it('has the text that each matching file must contain, and an expression for whole files', () => {
    expect(shown('bc', { isRegex: false })).toEqual({ ...none, required: 'bc', isRegex: false, matches: ['abc'] });
    expect(shown('b.c', { isRegex: false, caseInsensitive: true })).toEqual({
      ...none,
      over: '/b\\.c/gim',
      isRegex: false,
    });
    expect(shown('a(bc|x)')).toEqual({ ...none, over: '/a(bc|x)/gm', matches: ['abc'] });
    expect(shown('ab.')).toEqual({ ...none, required: 'ab', over: '/ab./gm', matches: ['abc'] });
    expect(shown('ab.', { caseInsensitive: true })).toEqual({
      ...none,
      over: '/[aA][bB]./gm',
      matches: ['abc', 'ABC'],
    });
    expect(shown('a(?=b)')).toEqual({ ...none, matches: ['abc'] });
    expect(shown('(?<=a)bc')).toEqual({ ...none, required: 'bc', matches: ['abc'] });
    expect(shown('(?<!a)bc')).toEqual({ ...none, required: 'bc' });
  });

  it('of RE2 looks for its literal in whole files', () => {
    const re2 = { ...none, matches: ['match'] };
    expect(shown('(\\p{L}+)+a\\.b')).toEqual({
      ...re2,
      required: 'a.b',
      over: '/a\\.b/gmu',
      compiled: ['(?:[\\p{L}]+)+a\\x{2e}b'],
    });
    expect(shown('(\\p{L}+)+')).toEqual({ ...re2, compiled: ['(?:[\\p{L}]+)+'] });
  });

  it('accepts an expression of the longest length, and literal text of any length', () => {
    expect(message('a'.repeat(1_024))).toBe('accepted');
    const literal = { pattern: '('.repeat(2_000), isRegex: false, caseInsensitive: false };
    expect(refusalOf(() => checkPattern(literal, DEFAULT_LIMITS, true))).toBe('accepted');
    expect(refusalOf(() => checkPattern({ ...literal, pattern: '' }, DEFAULT_LIMITS, true))).toBe(
      'Pattern must not be empty',
    );
    expect(message('a(')).toBe('Invalid regex pattern: /a(/: Unterminated group');
  });
});
