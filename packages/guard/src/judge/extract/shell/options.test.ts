import { describe, expect, it } from 'vitest';
import { ANY, field, SPLIT } from './marks.ts';
import { isUnderstood, type OptionStyle, parseOptions, understand } from './options.ts';

const parse = (line: string, style: OptionStyle = {}) =>
  parseOptions(
    line.split(' ').map((word) => field(word)),
    style,
  );
/** Options with their values, and the operands. */
const shown = (line: string, style?: OptionStyle) => {
  const { options, operands } = parse(line, style);
  const all = options.map(({ name, value }) => (value === undefined ? name : `${name}(${value.value})`));
  return `${all.join(' ')} | ${operands.map(({ value }) => value).join(' ')}`;
};

describe('a command line', () => {
  it.each([
    ['-a b', {}, '-a | b'],
    ['-ab c', {}, '-a -b | c'],
    ['-o out in', { values: '-o' }, '-o(out) | in'],
    ['-xoout in', { values: '-o' }, '-x -o(out) | in'],
    ['-xo out in', { values: '-o' }, '-x -o(out) | in'],
    ['-o=out in', { values: '-o' }, '-o(=out) | in'],
    ['-o=out in', { values: '-o', isGo: true }, '-o(out) | in'],
    ['--out=x in', { values: '--out' }, '--out(x) | in'],
    ['--out x in', { values: '--out' }, '--out(x) | in'],
    ['--ou x in', { values: '--out' }, '--out(x) | in'],
    ['--flag x', { values: '--out' }, '--flag | x'],
    ['--out x', { values: '--out-dir', flags: '--out' }, '--out | x'],
    ['-a -- -b c', {}, '-a | -b c'],
    ['- x', {}, ' | - x'],
    ['x -a', {}, '-a | x'],
    ['x -a y', { stopsAtOperand: true }, ' | x -a y'],
    ['-name x y', { values: '-name', singleDash: true }, '-name(x) | y'],
    ['-o', { values: '-o' }, '-o | '],
  ] as const)('%s (%j) is %s', (line, style, expected) => {
    expect(shown(line, style)).toBe(expected);
  });

  it('counts a word as value and as operand where an abbreviation may be an option of its own', () => {
    expect(shown('--backup x', { values: '--backup-dir' })).toBe('--backup-dir(x) | x');
  });

  it('is open where an unknown word may be an option', () => {
    const isOpen = (...values: string[]) =>
      parseOptions(
        values.map((value) => field(value)),
        {},
      ).isOpen;
    expect([isOpen('a', `${ANY}b`), isOpen(`a${ANY}${SPLIT}`), isOpen('--', `x${SPLIT}`)]).toEqual([true, true, true]);
    expect([isOpen('a', `b${ANY}`), isOpen('--', `${ANY}b`)]).toEqual([false, false]);
  });

  it('has options by their names, also abbreviated ones', () => {
    const parsed = parse('--rec -o x --o=y', { values: '-o --output' });
    expect([parsed.has('--recursive'), parsed.has('-r'), parsed.has('--recursive', '-o')]).toEqual([true, false, true]);
    expect(parsed.values('-o').map(({ value }) => value)).toEqual(['x']);
    expect(parsed.values('--output').map(({ value }) => value)).toEqual(['y']);
  });
});

it('understands the words that are values of known options', () => {
  const words = ['-o', 'x', '--out=y', '-zoy', '-1oy', 'z'].map((word) => field(word));
  parseOptions(words, { values: '-o --out' });
  expect(words.map(isUnderstood)).toEqual([true, true, true, true, false, false]);
  const other = field('w');
  understand(other);
  expect(isUnderstood(other)).toBe(true);
});
