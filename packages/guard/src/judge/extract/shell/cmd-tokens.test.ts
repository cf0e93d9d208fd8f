import { expect, it } from 'vitest';
import { cmdLines } from './cmd-tokens.ts';

/** Words are joined with `|`, commands with ` & `, lines with a newline. */
const shown = (source: string): string =>
  cmdLines(source)
    .map((commands) =>
      commands
        .map((words) =>
          words
            .map(({ text, redirect }) => (redirect === undefined ? '' : redirect === 'read' ? '<' : '>') + text)
            .join('|'),
        )
        .join(' & '),
    )
    .join('\n');

it.each([
  ['a b\tc', 'a|b|c'],
  ['a,b;c=d', 'a|b|c|d'],
  ['a "b c" d', 'a|b c|d'],
  ['a b"c d"e', 'a|bc de'],
  ['a ""', 'a|'],
  ['a "b^c & d"', 'a|b^c & d'],
  ['a ^"b ^& c^', 'a|"b|&|c'],
  ['^a', 'a'],
  ['', ''],
  [' \r\n\n', ''],
])('splits %j into words', (source, expected) => {
  expect(shown(source)).toBe(expected);
});

it.each([
  ['a&b', 'a & b'],
  ['a && b || c | d', 'a & b & c & d'],
  ['(a)(b', 'a & b'],
  ['a\r\nb\nc', 'a\nb\nc'],
  ['a ^\r\nb', 'a|b'],
  ['a^\nb', 'ab'],
  ['a ^^\nb', 'a|^\nb'],
  ['a "b\nc d" e', 'a|b\nc|d e'],
  ['a "^\nb', 'a|^\nb'],
])('splits %j into commands and lines', (source, expected) => {
  expect(shown(source)).toBe(expected);
});

it.each([
  ['a > b c', 'a|>b|c'],
  ['a>b', 'a|>b'],
  ['a>>b c', 'a|>b|c'],
  ['a>"b c"', 'a|>b c'],
  ['a < b > c', 'a|<b|>c'],
  ['a 2> b', 'a|>b'],
  ['a2> b', 'a2|>b'],
  ['a 12> b', 'a|12|>b'],
  ['a 2>&1 b', 'a|b'],
  ['a >&2', 'a'],
  ['> b a', '>b|a'],
  ['a >\nb', 'a\nb'],
])('finds the redirections of %j', (source, expected) => {
  expect(shown(source)).toBe(expected);
});

it.each([
  ['a %b:~0,3%c d', 'a|%b:~0,3%c|d'],
  ['a %b:;==%', 'a|%b:;==%'],
  ['a %b c% d', 'a|%b|c%|d'],
  ['a 5% & b 6%', 'a|5% & b|6%'],
  ['a %%b', 'a|%%b'],
  ['a %^b%', 'a|%b%'],
  ['a "%b,c%,%d%"', 'a|%b,c%,%d%'],
])('keeps the variables of %j whole', (source, expected) => {
  expect(shown(source)).toBe(expected);
});

it.each([
  ['rem a & b', ''],
  ['  @ReM a\nb', 'b'],
  ['rem', ''],
  ['rem\nb', 'b'],
  ['rem & b', 'rem & b'],
  ['rem , | b', 'rem & b'],
  ['rem.a', 'rem.a'],
  ['remark a', 'remark|a'],
  ['a & rem b', 'a & rem|b'],
  [':: a', ''],
  ['a\n :: b & c', 'a\nc'],
  [': a', ':|a'],
])('leaves out the comments of %j', (source, expected) => {
  expect(shown(source)).toBe(expected);
});
