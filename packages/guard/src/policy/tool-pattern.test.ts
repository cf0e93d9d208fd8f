import { expect, it } from 'vitest';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { compileToolPattern, MAX_MATCHED, MAX_STEPS, matches, stepsOf } from './tool-pattern.ts';

const compiled = (source: string): RegExp => {
  const result = compileToolPattern(source);
  if (typeof result === 'string') throw new Error(result);
  return result;
};

it('finds a pattern anywhere in a name, in upper and lower case', () => {
  expect(compiled('write_(file|dir)').test('mcp__fs__Write_File')).toBe(true);
  expect(compiled('^write$').test('write_file')).toBe(false);
});

it.each([
  ['(a+)+', 'a repetition or a choice inside a repetition'],
  ['(a|aa)+', 'a repetition or a choice inside a repetition'],
  ['((a?){2,}b)*', 'a repetition or a choice inside a repetition'],
  ['(?:x(a|b))*', 'a repetition or a choice inside a repetition'],
  ['a{101}', 'more than 100 counted repetitions'],
  ['a{1,200}', 'more than 100 counted repetitions'],
  ['a*b*c*d*', 'more than 3 repetitions without an end'],
  ['a+b{2,}c*d+', 'more than 3 repetitions without an end'],
  ['a?'.repeat(40), 'too many ways'],
  ['a{0,100}'.repeat(4), 'too many ways'],
  ['(?:a|a)'.repeat(30), 'too many ways'],
  ['(?:a?|b)?'.repeat(20), 'too many ways'],
  ['a*a*a*a{0,100}', 'too many ways'],
  ['(a)\\1', 'a back reference'],
  ['(?<n>a)\\k<n>', 'a back reference'],
  ['(?=a)b', 'look-around'],
  ['(?<!a)b', 'look-around'],
])('refuses %s, which can take for ever', (source, danger) => {
  expect(compileToolPattern(source)).toContain(danger);
});

it.each([
  '(?:get|set)_.*_(?:file|dir)s?',
  `^(?:${'tool|'.repeat(100)}other)$`,
  '(a|b)?c',
  '(?:ab){3}',
  '[(+*]+',
  'a\\+\\+',
  '(ab)+',
  'x*y*z*',
  'a{100}',
  '[^)]*\\)',
])('takes %s, which matches in few ways', (source) => expect(compiled(source)).toBeInstanceOf(RegExp));

it('says why it refuses a pattern that does not compile or is too long', () => {
  expect(compileToolPattern('(')).toMatch(/^Invalid regular expression/);
  expect(compileToolPattern('a'.repeat(1_001))).toBe('a pattern must be at most 1000 characters long');
});

it.each(['a*a*a*b', `${'a?'.repeat(16)}b`, 'a*a*a{0,100}b'])(
  'needs a moment for the longest name of %s',
  async (source) => {
    const match = () => compiled(source).test('a'.repeat(MAX_MATCHED));
    expect(match()).toBe(false);
    // 300 characters need 30 times as much.
    await expect.poll(() => costOf(match)).toBeLessThan(100);
  },
);

// One place: 128 in a name of 128 characters. Two: 129 * 128 / 2. Three: 130 * 129 * 128 / 6.
it.each([
  ['', 128],
  ['abc', 128],
  ['a?', 256],
  ['a??', 256],
  ['a{3}', 128],
  ['a{0,1}', 256],
  ['a{1,3}', 384],
  ['a{0,3}', 512],
  ['a{2,}', 8_256],
  ['a*', 8_256],
  ['a+?', 8_256],
  ['a*b*', 357_760],
  ['a|b', 256],
  ['a?|b', 384],
  ['(a|b)', 256],
  ['(a|b)?', 384],
  ['(a?)?', 384],
  ['(a|b)(c|d)', 512],
  ['(a|b)c?', 512],
  ['(a|b)\\d?', 512],
  ['(a|b)[c]?', 512],
  ['(a|b)(c)?', 512],
  ['(?:a)(?<n>b)', 128],
  ['[a?b*]', 128],
  ['[\\]?]', 128],
  ['[a\\\\]?', 256],
  ['\\??', 256],
  ['\\(a?', 256],
  ['a{x}', 128],
])('takes at most this many steps for a name with %j: %i', (source, steps) => {
  expect(stepsOf(source)).toBe(steps);
});

it('refuses a pattern of more than 100,000,000 steps and names what it has', () => {
  expect(MAX_STEPS).toBe(100_000_000);
  const most = `a*b*c*${'d?'.repeat(3)}`;
  expect(stepsOf(most)).toBe(93_733_120);
  expect(compileToolPattern(most)).toBeInstanceOf(RegExp);
  expect(compileToolPattern(`${most}e?`)).toBe(
    'the pattern "a*b*c*d?d?d?e?" has too many ways to match a name, which can take for ever',
  );
  expect(compileToolPattern('a'.repeat(1_000))).toBeInstanceOf(RegExp);
  expect(compileToolPattern(`${'a'.repeat(90)}b{101}`)).toBe(
    `the pattern "${'a'.repeat(80)}" has more than 100 counted repetitions, which can take for ever`,
  );
  expect(compileToolPattern('(?=a)')).toBe('the pattern "(?=a)" has look-around, which can take for ever');
  expect(compileToolPattern('a*b*c*d*')).toBe(
    'the pattern "a*b*c*d*" has more than 3 repetitions without an end, which can take for ever',
  );
});

it('matches the first 128 characters of a name', () => {
  expect(MAX_MATCHED).toBe(128);
  expect(matches(/b/)(`${'a'.repeat(127)}b`)).toBe(true);
  expect(matches(/b/)(`${'a'.repeat(128)}b`)).toBe(false);
  expect(matches(/^a/)('ab')).toBe(true);
});
