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
])('translates %s, as other tools write it, to %s', (pattern, expected) => {
  expect(translate(pattern)).toBe(expected);
});

it('ignores case once, however that is asked for', () => {
  expect(translate('(?i)a', true)).toBe('/a/i');
  expect(translate('a', true)).toBe('/a/i');
});

it('matches a literal text exactly', () => {
  const text = '(?i)a.b*[c]{d}^$|\\A/+';
  const { source, flags } = toPatternSource({ pattern: text, isRegex: false, caseInsensitive: false });
  expect(new RegExp(`^(?:${source})$`, flags).test(text)).toBe(true);
  expect(new RegExp(`^(?:${source})$`, flags).test(text.replace('.', 'x'))).toBe(false);
  expect(() => new RegExp(escapeLiteral(text), 'u')).not.toThrow();
});
