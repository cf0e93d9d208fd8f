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
    `${'['.repeat(40)}${']'.repeat(40)}`,
  ])('is not one if a part of it is computed: %s', (source) => {
    expect(valueOf(source)).toBeUndefined();
  });

  it.each(['"\\101"', '"open', '"a\nb"', '[1', '0x1g'])('is refused by the parser if it is wrong: %s', (source) => {
    expect(() => valueOf(source)).toThrow(SyntaxError);
  });
});
