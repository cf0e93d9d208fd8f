import { expect, it } from 'vitest';
import { mayBacktrack, nestsQuantifiers } from './may-backtrack.ts';

const may = (pattern: string, isRegex = true) => mayBacktrack({ pattern, isRegex, caseInsensitive: false });

it.each(['(a+)+', '(a*)*b', '(a|b)*', '(a{1,})+', '(a{2,3})*'])('the contract refuses %s', (pattern) => {
  expect(nestsQuantifiers(pattern)).toBe(true);
});

it.each(['(ab)+', '(a+)', '(a{2})+', '(a\\+)+', '([a+|]b)*', '\\(a+)+', '((a+))+', '(a+)?'])(
  'the contract accepts %s',
  (pattern) => {
    expect(nestsQuantifiers(pattern)).toBe(false);
  },
);

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
])('V8 may take long for %s', (pattern) => {
  expect(may(pattern)).toBe(true);
  expect(may(pattern, false)).toBe(false);
});

it.each(['a{50}', 'a{1,50}', '(ab)+', '(a+)(b+)', '(?:ab)*c', '(a+)?', '[(a+)+]', '\\(a+\\)+', 'a+b+|c', '(a+))+'])(
  'V8 is fast for %s',
  (pattern) => {
    expect(may(pattern)).toBe(false);
  },
);
