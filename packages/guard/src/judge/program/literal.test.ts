import { parseExpressionAt } from 'acorn';
import { describe, expect, it } from 'vitest';
import { readLiteral } from './literal.ts';

function valueOf(source: string): unknown {
  return readLiteral(parseExpressionAt(source, 0, { ecmaVersion: 'latest', sourceType: 'module' }))?.value;
}

describe('a literal of JavaScript', () => {
  it.each<[string, unknown]>([
    ['"a\\n\\x41\\u0042\\u{43}\\\\"', 'a\nABC\\'],
    ["'it\\'s' + \" one\" + ` text`", "it's one text"],
    ['`two\nlines \\${x}`', 'two\nlines ${x}'],
    ['"cut \\\nhere"', 'cut here'],
    ['-1.5e3', -1500],
    ['1_000', 1000],
    ['[1, true, null, undefined, ["x"],]', [1, true, null, undefined, ['x']]],
    ['{ cmd: "ls", \'b\': [1], 3: {}, /* note */ "c": false, // end\n }', { cmd: 'ls', b: [1], '3': {}, c: false }],
    ['{ a: 1, a: 2 }', { a: 2 }],
    ['``', ''],
    ["'a' + `b` + 'c' + `d`", 'abcd'],
    ['[null, "", 0, -0.5]', [null, '', 0, -0.5]],
    ['[]', []],
    ['{}', {}],
    [`${'['.repeat(33)}${']'.repeat(33)}`, JSON.parse(`${'['.repeat(33)}${']'.repeat(33)}`)],
    [`${'{a:'.repeat(32)}1${'}'.repeat(32)}`, JSON.parse(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`)],
    [`${'['.repeat(31)}-1${']'.repeat(31)}`, JSON.parse(`${'['.repeat(31)}-1${']'.repeat(31)}`)],
  ])('is read as JavaScript reads it: %s', (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  it.each([
    '`a${b}`',
    '"a" + b',
    '"a" + 1',
    'name',
    '{ cmd }',
    '{ cmd: x }',
    '{ ...x }',
    '{ [x]: 1 }',
    '{ run() {} }',
    '{ get a() { return 1 } }',
    '{ "__proto__": { cmd: "rm" } }',
    '[1,,2]',
    '1n',
    '/x/',
    '+1',
    '!true',
    '-"1"',
    '-name',
    'typeof 1',
    '1 + 2',
    '"a" - "b"',
    '1 + "a"',
    'name + "a"',
    '`a` + `${b}`',
    'String.raw`a`',
    '{ "a": /x/ }',
    '{ 1n: name }',
    '{ set a(b) {} }',
    '{ __proto__: 1 }',
    'f()',
    '(a, "b")',
    `${'['.repeat(34)}${']'.repeat(34)}`,
    `${'{a:'.repeat(33)}1${'}'.repeat(33)}`,
    `${'['.repeat(32)}-1${']'.repeat(32)}`,
  ])('is not one if a part of it is computed: %s', (source) => {
    expect(valueOf(source)).toBeUndefined();
  });

  it.each(['"\\101"', '"open', '"a\nb"', '[1', '0x1g'])('is refused by the parser if it is wrong: %s', (source) => {
    expect(() => valueOf(source)).toThrow(SyntaxError);
  });
});
