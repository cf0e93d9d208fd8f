import { expect, it } from 'vitest';
import { mayBacktrack, nestsQuantifiers } from './may-backtrack.ts';

const may = (pattern: string, isRegex = true) => mayBacktrack({ pattern, isRegex, caseInsensitive: false });

it.each(['(a+)+', '(a*)*b', '(a|b)*', '(a|b)+', '(a{1,})+', '(a{2,3})*', '[(](a+)+', '\\\\(a+)+', '(a)b(c*)+'])(
  'the contract refuses %s',
  (pattern) => {
    expect(nestsQuantifiers(pattern)).toBe(true);
  },
);

it.each([
  '(ab)+',
  '(a+)',
  '(a{2})+',
  '(a\\+)+',
  '([a+|]b)*',
  '\\(a+)+',
  '((a+))+',
  '(a+)?',
  '(a?)+',
  '(a+){2}',
  '[(a+)+]',
  '(a\\|b)+',
  'a+b+',
])('the contract accepts %s', (pattern) => {
  expect(nestsQuantifiers(pattern)).toBe(false);
});

it.each([
  '(?=a)b',
  '(?<!a)b',
  '(a)\\1',
  '(?P<n>a)(?P=n)',
  '(?<n>a)\\k<n>',
  'a{51}',
  'a{1,51}',
  '(a+)+',
  '((a+)b)*',
  '((a|b)c){2,}',
  '(?!a)b',
  '(?<=a)b',
  '(a)\\9',
  '(a|b)+',
  '(a|b){2}',
  '((a|b))*',
  '(x{2}y)*',
  'a{51,}',
  'a{0,2}b{60}',
  ')(a+)+',
])('V8 may take long for %s', (pattern) => {
  expect(may(pattern)).toBe(true);
  expect(may(pattern, false)).toBe(false);
});

it.each([
  'a{50}',
  'a{1,50}',
  '(ab)+',
  '(a+)(b+)',
  '(?:ab)*c',
  '(a+)?',
  '[(a+)+]',
  '\\(a+\\)+',
  'a+b+|c',
  '(a+))+',
  '(a)\\0',
  '(?<n>a)',
  'a{0,50}b{50}',
  '(a{)+',
  '(a+){',
  '[a{99}]',
  '(a)|(b)+',
  '(a+)|b+',
])('V8 is fast for %s', (pattern) => {
  expect(may(pattern)).toBe(false);
});
