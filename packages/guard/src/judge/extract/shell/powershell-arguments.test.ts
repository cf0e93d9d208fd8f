import { describe, expect, it } from 'vitest';
import { ANY, GLOB, HOME, ROOT } from './marks.ts';
import { list, parameters, place } from './powershell-arguments.ts';
import { tokenize } from './powershell-tokens.ts';
import { ShellState } from './state.ts';

describe('a list', () => {
  it('has the parts between commas, unless it is quoted', () => {
    const texts = (source: string) => list(tokenize(source)[0]).map(({ text }) => text);
    expect([texts('a,b,,c'), texts("'a,b'"), list(undefined)]).toEqual([['a', 'b', 'c'], ['a,b'], []]);
    expect([texts('\'a\',"b,c",d'), texts('$(a,b),c'), texts('a`,b')]).toEqual([
      ['a', 'b,c', 'd'],
      ['$(a,b)', 'c'],
      ['a,b'],
    ]);
  });
});

describe('arguments', () => {
  const split = (source: string) => {
    const { named, positions } = parameters(tokenize(source));
    return [named.map(({ name, value }) => `${name}=${value.text}`), positions.map(({ text }) => text)];
  };

  it.each([
    ['a b', [[], ['a', 'b']]],
    ['-Path a b', [['path=a'], ['b']]],
    ['-Path:a b', [['path=a'], ['b']]],
    ['-Recurse a', [[], ['a']]],
    ['-fo -rf a', [[], ['a']]],
    ['-Rec a', [['rec=a'], ['a']]],
    ["'-Path' a", [[], ['-Path', 'a']]],
    ['a -Path', [[], ['a']]],
    ['-1 a', [[], ['-1', 'a']]],
    ['a, b ,c d', [[], ['a,b,c', 'd']]],
    ['-Path a, b', [['path=a,b'], []]],
    ['"-Path" a', [[], ['-Path', 'a']]],
    ['-P`ath a', [[], ['-Path', 'a']]],
    ['-Path -- -Force', [['path=--'], []]],
    ['-- -Force a', [[], ['-Force', 'a']]],
  ])('%s', (source, expected) => {
    expect(split(source)).toEqual(expected);
  });
});

describe('a path', () => {
  const state = new ShellState(['']);
  const known = new Map([['x', 'value']]);
  const of = (text: string, written = text, at = state) => place(text, written, at, known).value;

  it.each([
    ['$x/a', 'value/a'],
    ['${x}/a', 'value/a'],
    ['$y/a', `${ANY}/a`],
    ['$(y z)/a', `${ANY}/a`],
    ['$HOME/a', `${HOME}/a`],
    ['$env:USERPROFILE\\a', `${HOME}/a`],
    ['$env:LOCALAPPDATA/a', `${HOME}/.config/a`],
    ['$env:TEMP/a', '/tmp/a'],
    ['$env:windir', 'C:/Windows'],
    ['$pwd/a', `${ROOT}/a`],
    ['~/a', `${HOME}/a`],
    ['~a', '~a'],
    ['sub\\a', 'sub/a'],
    ['C:\\a', 'C:\\a'],
    ['\\\\host\\a', '\\\\host\\a'],
    ['a*?', `a${GLOB}*${GLOB}?`],
    ['HKLM:\\x', '/HKLM:/x'],
    ['Env:x', ANY],
    ['filesystem::a', 'a'],
  ])('of %s', (text, value) => {
    expect(of(text)).toBe(value);
  });

  it('is what single quotes hold, and in the directory of the shell', () => {
    expect([of('$x', "'$x'"), of('$x', "@'\n$x\n'@"), of('$x', '"$x"')]).toEqual(['$x', '$x', 'value']);
    expect(of('$pwd/a', '$pwd/a', new ShellState(['d']))).toBe(`${ROOT}/d/a`);
    expect(of('$pwd/a', '$pwd/a', new ShellState(['d', 'e']))).toBe(`${ANY}/a`);
    expect(of('$PSScriptRoot/a')).toBe('/a');
  });
});
