import { expect, it } from 'vitest';
import { escapeLiteral, toPatternSource } from './pattern-source.ts';

const translate = (pattern: string, caseInsensitive = false) => {
  const { source, flags } = toPatternSource({ pattern, isRegex: true, caseInsensitive });
  return `/${source}/${flags}`;
};

it.each([
  ['(?i)a', '/a/i'],
  ['(?is)a.b', '/a.b/is'],
  ['a(?i)b', '/a(?i)b/'],
  ['(?P<n>a)(?P=n)', '/(?<n>a)\\k<n>/'],
  ['\\Aa\\z', '/^a$/'],
  ['a\\Z', '/a$/'],
  ['\\A{2}', '/^{2}/'],
  ['\\p{Lu}', '/\\p{Lu}/u'],
  ['\\u{1F600}', '/\\u{1F600}/u'],
  ['\\\\A\\\\p{2}', '/\\\\A\\\\p{2}/'],
  ['\\pL', '/\\pL/'],
  ['(?s)a', '/a/s'],
  ['(?iis)a', '/a/is'],
  ['(?x)a', '/(?x)a/'],
  ['\\P{L}a\\x41', '/\\P{L}a\\x41/u'],
  ['\\A\\Aa\\z{2}\\Z{3}', '/^^a${2}${3}/'],
  ['(?P<a>x)(?P<b>y)(?P=b)(?P=a)', '/(?<a>x)(?<b>y)\\k<b>\\k<a>/'],
  ['\\\\\\A', '/\\\\^/'],
])('translates %s, as other tools write it, to %s', (pattern, expected) => {
  expect(translate(pattern)).toBe(expected);
});

it('ignores case once, however that is asked for', () => {
  expect(translate('(?i)a', true)).toBe('/a/i');
  expect(translate('a', true)).toBe('/a/i');
  expect(translate('(?is)\\p{L}', true)).toBe('/\\p{L}/isu');
  expect(toPatternSource({ pattern: '(?s)a', isRegex: false, caseInsensitive: true })).toEqual({
    source: '\\(\\?s\\)a',
    flags: 'i',
  });
});

it('matches a literal text exactly', () => {
  const text = '(?i)a.b*[c]{d}^$|\\A/+';
  expect(escapeLiteral(text)).toBe('\\(\\?i\\)a\\.b\\*\\[c\\]\\{d\\}\\^\\$\\|\\\\A\\/\\+');
  const { source, flags } = toPatternSource({ pattern: text, isRegex: false, caseInsensitive: false });
  expect(new RegExp(`^(?:${source})$`, flags).test(text)).toBe(true);
  expect(new RegExp(`^(?:${source})$`, flags).test(text.replace('.', 'x'))).toBe(false);
  expect(() => new RegExp(escapeLiteral(text), 'u')).not.toThrow();
});
