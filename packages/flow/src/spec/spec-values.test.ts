import { describe, expect, it } from 'vitest';
import { printValue, readValue } from './spec-values.ts';

describe('a value of the text form', () => {
  it.each([
    ['True', true],
    ['false', false],
    ['none', null],
    ['NULL', null],
    ['42', 42],
    ['+7', 7],
    ['-1.5e3', -1_500],
    ['.5', 0.5],
    ['1e999', '1e999'],
    ['12345678901234567890', '12345678901234567890'],
    ['1.2.3', '1.2.3'],
    ['"a: 1"', 'a: 1'],
    ['[1, {"a": null}]', [1, { a: null }]],
    ['{broken', '{broken'],
    ['[Role] Be brief', '[Role] Be brief'],
    ['plain text', 'plain text'],
  ])('reads %s', (text, value) => {
    expect(readValue(text)).toEqual(value);
  });

  it.each([
    ['plain', ' plain'],
    ['', ' ""'],
    [' padded ', ' " padded "'],
    ['42', ' "42"'],
    ['true', ' "true"'],
    ['|', ' "|"'],
    ['a\nb', ' |\n      a\n      b'],
    ['a\n\n  b', ' |\n      a\n\n        b'],
    ['\na', ' "\\na"'],
    ['a\n', ' "a\\n"'],
    ['a\r\nb', ' "a\\r\\nb"'],
    ['a\n  \nb', ' "a\\n  \\nb"'],
    [[1, 'x'], ' [1,"x"]'],
    [null, ' null'],
  ])('prints %j so that it is read back', (value, text) => {
    expect(printValue(value, '    ')).toBe(text);
  });
});
