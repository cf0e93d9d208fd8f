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
