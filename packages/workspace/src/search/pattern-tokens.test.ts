import { describe, expect, it } from 'vitest';
import { largestCount, type PatternToken, tokenize } from './pattern-tokens.ts';

const shown = (token: PatternToken): string => {
  switch (token.kind) {
    case 'character':
      return String.fromCodePoint(token.code);
    case 'set':
      return `${token.negated ? '^' : ''}{${token.items.map((item) => (typeof item === 'string' ? item : `${item[0]}-${item[1]}`)).join(',')}}`;
    case 'repeat':
      return `${token.source}<${token.least},${token.most}>`;
    case 'assertion':
      return `@${token.source}`;
    default:
      return token.kind;
  }
};
const tokens = (source: string, flags = '') => tokenize({ source, flags })?.map(shown).join(' ');

describe('an expression', () => {
  it.each([
    ['ab.', 'a b any'],
    ['^a$\\b\\B', '@^ a @$ @\\b @\\B'],
    ['(a|b)', 'open a or b close'],
    ['(?:a)(?<name>b)', 'open a close open b close'],
    ['(?<_$1>a)(?<$>b)', 'open a close open b close'],
    ['a*b+?c?d*?e+f??', 'a *<0,Infinity> b +?<1,Infinity> c ?<0,1> d *?<0,Infinity> e +<1,Infinity> f ??<0,1>'],
    ['a{2}b{2,}c{2,3}?d{0}', 'a {2}<2,2> b {2,}<2,Infinity> c {2,3}?<2,3> d {0}<0,0>'],
    ['a{123456,123456}', 'a {123456,123456}<123456,123456>'],
    ['a{', 'a {'],
    ['{1234567}', '{ 1 2 3 4 5 6 7 }'],
    ['\\t\\n\\v\\f\\r\\x41\\u0042\\.\\/', '\t \n \v \f \r A B . /'],
    ['\\ud7ff\\ue000\uffff', '\ud7ff \ue000 \uffff'],
    ['\\d\\W', '{\\d} {\\W}'],
    ['[a-c]', '{97-99}'],
    ['[^ab-]', '^{97-97,98-98,45-45}'],
    ['[\\d\\b\\-]', '{\\d,8-8,45-45}'],
    ['[\\x41-\\x43]', '{65-67}'],
    ['[a-b-c]', '{97-98,45-45,99-99}'],
    ['[\\b-a\\W]a]', '{8-97,\\W} a ]'],
  ])('%s is split into its parts', (source, expected) => {
    expect(tokens(source)).toBe(expected);
  });

  it('has code points with the flag u, and no character of two units without it', () => {
    expect([tokens('a😀', 'u'), tokens('a😀'), tokens('[😀]')]).toEqual(['a 😀', undefined, undefined]);
    expect([tokens('\\p{Lu}', 'u'), tokens('\\p{Lu}')]).toEqual(['{\\p{Lu}}', undefined]);
  });

  it.each([
    '(?=a)',
    '(?<!a)',
    '(?<=a)',
    '(?i:a)',
    '[^]',
    '[',
    '[a',
    '[a-',
    '[\\',
    '[\\B]',
    '[\\w-\\d]',
    '\\',
    '\\udfff',
    '\\😀',
    '(a)\\1',
    '\\k<a>',
    '\\ud800',
    '\\cA',
    '[]',
    '[\\d-z]',
    '[a-\\w]',
    '\\p{Script=Greek}',
    '\\0',
  ])('%s is not split', (source) => {
    expect(tokens(source, 'u')).toBeUndefined();
  });
});

describe('the largest count', () => {
  it.each([
    ['abc', 1],
    ['a*b+', 1],
    ['a{3}', 3],
    ['a{3,9}', 9],
    ['a{4,}', 4],
    ['a{0}', 1],
    ['(a{3}b{5}){2}', 10],
    ['(a{3}){4}c{20}', 20],
    ['((a{2}){3}){4}', 24],
    ['a{5}b*', 5],
    ['a{0,5}', 5],
    ['a{9}b{2}', 9],
    ['(a{3})b{2}', 3],
    ['(a{3}b{2}){2}', 6],
    ['(a{3}b){2}', 6],
    ['(a{3}){4,}', 12],
    ['a?(b{2})+', 2],
    ['(ab){7}', 7],
  ])('of %s is %i', (source, count) => {
    expect(largestCount(tokenize({ source, flags: '' }) as PatternToken[])).toBe(count);
  });
});
