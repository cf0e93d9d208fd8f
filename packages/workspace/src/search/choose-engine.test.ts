import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, it } from 'vitest';
import { chooseEngine } from './choose-engine.ts';
import { createMatcher } from './line-matcher.ts';
import { toPatternSource } from './pattern-source.ts';

const regex = (pattern: string, caseInsensitive = false) => ({ pattern, isRegex: true, caseInsensitive });

it.each<[string, string]>([
  ['(foo|bar)+', 'v8'],
  ['((a)+)+$', 'v8'],
  ['(?i)((a)+)+$', 'v8'],
  ['(?i)([a-f_]+[^X-z]*)*$', 'v8'],
  ['import .* from', 'v8'],
  ['\\p{Lu}+', 'v8'],
  ['(a+){20,}$', 're2'],
  ['(\\p{L}+)+$', 're2'],
  ['(?i)(é+)+$', 're2'],
  ['(?=x)y', 'backtracking'],
  ['(?<!x)y', 'backtracking'],
  ['(a)\\1', 'backtracking'],
  ['(?P<n>a)(?P=n)', 'backtracking'],
  ['a{1,500}b', 'backtracking'],
  ['(a{1,30}){1,30}b', 'backtracking'],
  ['((a{1,9}b){2,9}){3}c', 'backtracking'],
])('%s is run by %s', (pattern, kind) => {
  expect(chooseEngine(regex(pattern)).kind).toBe(kind);
});

const SPACES =
  '\\x{9}-\\x{d} \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}-\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NOT_SPACES =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

it.each([
  ['(\\p{L}|a.\\n)+$', '(?:[\\p{L}]|a[^\\x{a}\\x{d}\\x{2028}-\\x{2029}]\\x{a})+$'],
  ['(?s)(\\p{L}|.)+$', '(?:[\\p{L}]|(?s:.))+$'],
  ['(?i)([é]+)+$', '(?i)(?:[\\x{e9}]+)+$'],
  [
    '(\\s|\\S|[^\\S\\d]|[a-c]|^\\b-)+\\p{L}*?$',
    `(?:[${SPACES}]|[${NOT_SPACES}]|[^${NOT_SPACES}\\d]|[a-c]|^\\b\\x{2d})+[\\p{L}]*?$`,
  ],
  ['((a|b)+){20,}$', '(?:(?:a|b)+){20,}$'],
  ['(a{1,50})*b', '(?:a{1,50})*b'],
])('%s is written for RE2 as %s', (pattern, expression) => {
  expect(chooseEngine(regex(pattern))).toEqual({ kind: 're2', expression });
});

it.each([
  ['foo|ba+r', 'v8', 'foo|ba+r', ''],
  ['(?i)((a1)+|[b-e_]|[^X-z\\d]|\\.)+.$', 'v8', '(?:(?:[aA]1)+|[b-eB-E\\u005f]|[^X-zx-zA-Z\\d]|\\u002e)+.$', ''],
  ['(?is)([\\x7f@-Z]+[{-~]+[0-9]*)+$', 'v8', '(?:[\\u007f\\u0040-Za-z]+[\\u007b-\\u007e]+[0-9]*)+$', 's'],
  ['(?i)\\x80+', 'v8', '\\x80+', 'i'],
  ['(?i)[a-\\x80]+', 'v8', '[a-\\x80]+', 'i'],
  ['(?i)\\p{L}', 'v8', '\\p{L}', 'iu'],
  ['(a{1,51})*b', 'backtracking', '(a{1,51})*b', ''],
  ['(?i)(?=x)y', 'backtracking', '(?=x)y', 'i'],
])('%s is run by %s as /%s/%s', (pattern, kind, source, flags) => {
  expect(chooseEngine(regex(pattern))).toEqual({ kind, source: { source, flags } });
});

it('never interprets literal text', () => {
  expect(chooseEngine({ pattern: '(?=(a+)+', isRegex: false, caseInsensitive: true })).toEqual({
    kind: 'v8',
    source: { source: '\\(\\?=\\(a\\+\\)\\+', flags: 'i' },
  });
});

const ATOMS = [
  'a',
  'B',
  'k',
  '.',
  '\\.',
  '\\d',
  '\\s',
  '\\S',
  '\\W',
  '\\b',
  '^',
  '$',
  '\\n',
  '\\x41',
  '\\u00e9',
  'é',
  '-',
];
const SETS = ['[ab]', '[^a]', '[A-f]', '[\\s\\d]', '[^\\S]', '[a\\-z]', '[é-ü]', '[_^]', '[\\b\\]]'];
const atom = fc.oneof(
  fc.constantFrom(...ATOMS, ...SETS),
  fc
    .array(fc.constantFrom(...ATOMS, ...SETS, '|', 'a+', 'b*'), { minLength: 1, maxLength: 4 })
    .map((parts) => `(${parts.join('')})`),
);
const repeat = fc.constantFrom('', '', '*', '+', '?', '{0,2}', '{2}', '*?', '{1,}', '{18,}', '{0,20}');
const patterns = fc
  .array(fc.tuple(atom, repeat), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map((part) => part.join('')).join(''));
const lines = fc
  .array(
    fc.constantFrom('a', 'A', 'b', 'k', 'K', '1', '.', ' ', '-', '_', 'é', 'É', 'ü', '\r', '\u2028', '\u00a0', ']'),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));

it.each([false, true])('every engine finds what V8 finds: ignoring case %s', (caseInsensitive) => {
  const ran: Record<string, number> = {};
  fc.assert(
    fc.property(patterns, lines, (pattern, line) => {
      const search = regex(pattern, caseInsensitive);
      let expected: RegExp;
      try {
        const { source, flags } = toPatternSource(search);
        expected = new RegExp(source, flags);
      } catch {
        return;
      }
      const { kind } = chooseEngine(search);
      ran[kind] = (ran[kind] ?? 0) + 1;
      const matcher = createMatcher(search, (expression) => RE2JS.compile(expression));
      expect([pattern, line, matcher.matchesLine(line)]).toEqual([pattern, line, expected.test(line)]);
      if (!expected.test(line) || !matcher.overText) return;
      matcher.overText.lastIndex = 0;
      expect(matcher.overText.exec(line), pattern).not.toBeNull();
    }),
    { numRuns: 4_000 },
  );
  expect(ran['v8']).toBeGreaterThan(500);
  expect(ran['re2']).toBeGreaterThan(50);
});
