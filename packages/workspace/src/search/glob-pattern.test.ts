import { describe, expect, it } from 'vitest';
import { climbs, compileGlob, expandBraces } from './glob-pattern.ts';

const PATHS = [
  'a.py',
  'b.txt',
  '.hidden',
  '.dir',
  '.dir/x.py',
  'src',
  'src/a.py',
  'src/deep',
  'src/deep/b.py',
  'src/deep/deeper/c.txt',
  'a',
  'a[b',
  '😀',
  '^',
  'x-y',
  'new\nline',
  '.',
  'A.PY',
];
const matching = (pattern: string, options = {}) => PATHS.filter((path) => compileGlob(pattern, options).matches(path));

describe('a glob', () => {
  it('judges a path the same by its last component alone, where only that is asked for', () => {
    const paths = ['a.ts', 'src/a.ts', 'src/deep/b.tsx', 'src/deep/.ts', 'a.ts/b', 'ts', 'src/\u00e9\u{1f600}.ts'];
    for (const pattern of [
      '**/*.ts',
      '**/a*',
      '**/*.{ts,tsx}',
      '**/[ab].ts*',
      '**/?',
      '**/**',
      '**',
      'src/**/*.ts',
      '*',
    ]) {
      const { matches } = compileGlob(pattern, { braces: true });
      const spelled = compileGlob(`{${pattern},${pattern}/never}`, { braces: true });
      for (const path of paths) {
        expect([pattern, path, matches(path)]).toEqual([pattern, path, spelled.matches(path)]);
      }
    }
  });

  it.each<[string, string[]]>([
    ['*', ['a.py', 'b.txt', '.hidden', '.dir', 'src', 'a', 'a[b', '😀', '^', 'x-y', 'new\nline', '.', 'A.PY']],
    ['*.py', ['a.py']],
    ['**/*.py', ['a.py', '.dir/x.py', 'src/a.py', 'src/deep/b.py']],
    ['src/**', ['src/a.py', 'src/deep', 'src/deep/b.py', 'src/deep/deeper/c.txt']],
    ['src/**/**/*.py', ['src/a.py', 'src/deep/b.py']],
    ['**/deep', ['src/deep']],
    ['src/*', ['src/a.py', 'src/deep']],
    ['./src//a.py', ['src/a.py']],
    ['?', ['a', '😀', '^', '.']],
    ['[!a]', ['😀', '^', '.']],
    ['[^a]', ['a', '^']],
    ['[a-c].*', ['a.py', 'b.txt']],
    ['a[b', ['a[b']],
    ['x[,-.]y', ['x-y']],
    ['[]a]', ['a']],
    ['.*', ['.hidden', '.dir', '.']],
    ['a**', ['a.py', 'a', 'a[b']],
    ['(a|b).py', []],
    ['{a,b}.*', []],
  ])('%s matches %j', (pattern, paths) => {
    expect(matching(pattern)).toEqual(paths);
  });
  it('takes braces where they are asked for', () => {
    expect(matching('{a,b}.{py,txt}', { braces: true })).toEqual(['a.py', 'b.txt']);
    expect(expandBraces('a{b,c{d,e}}f')).toEqual(['abf', 'acdf', 'acef']);
    expect(expandBraces('{a}{')).toEqual(['{a}{']);
    expect(expandBraces('{a,b}'.repeat(20))).toHaveLength(256);
    expect(
      ['{,a}', '{a,b},c', 'a,b', '}{', '{a,b', '{{a,b},c}d', '{}', '{a,{b}}'].map((pattern) => expandBraces(pattern)),
    ).toEqual([['', 'a'], ['a,c', 'b,c'], ['a,b'], ['}{'], ['{a,b'], ['ad', 'bd', 'cd'], ['{}'], ['a', '{b}']]);
  });
  it.each([
    ['a*b', ['ab', 'a/b', 'axxb'], ['ab', 'axxb']],
    ['a*b*c*d', ['abcd', 'axbxcxd', 'acbd', 'abc/d'], ['abcd', 'axbxcxd']],
    ['*a*b*', ['ab', 'xaxbx', 'ba', 'a/b'], ['ab', 'xaxbx']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b', 'ab', 'a/xb', 'x/a/b'], ['a/b', 'a/x/b', 'a/x/y/b']],
    ['**/a/**/b/**/c', ['a/b/c', 'x/a/y/b/z/c', 'a/c', 'b/a/c', 'xa/b/c'], ['a/b/c', 'x/a/y/b/z/c']],
    ['**/a/**', ['a', 'a/b', 'x/a/b/c', 'xa/b'], ['a/b', 'x/a/b/c']],
    ['**/[!a]*b', ['x/cb', 'ab', 'cb', '/b'], ['x/cb', 'cb']],
    ['a[!]]b[]]', ['axb]', 'a]b]', 'a/b]'], ['axb]']],
    ['[a^\\]', ['a', '^', '\\', 'b'], ['a', '^', '\\']],
    ['[+-0]', ['+', '.', '/', '0', '1'], ['+', '.', '0']],
    ['[z-a]', ['z', '[z-a]'], ['[z-a]']],
    ['a.b+(c){2}|^$', ['a.b+(c){2}|^$', 'axb', 'a.bbcc'], ['a.b+(c){2}|^$']],
  ])('%s, of %j, matches %j', (pattern, paths, expected) => {
    expect(paths.filter((path) => compileGlob(pattern).matches(path))).toEqual(expected);
  });
  it('is right-anchored as a filter', () => {
    expect(matching('*.py', { rightAnchored: true })).toEqual(['a.py', '.dir/x.py', 'src/a.py', 'src/deep/b.py']);
    expect(matching('deep/*.py', { rightAnchored: true })).toEqual(['src/deep/b.py']);
  });
  it('knows where it starts and how deep it goes', () => {
    const walk = (pattern: string, options = {}) => {
      const { prefix, maxDepth } = compileGlob(pattern, options);
      return [prefix.join('/'), maxDepth];
    };
    const any = Number.POSITIVE_INFINITY;
    expect(
      ['src/deep/*.py', 'a/b', 'a', 'a/b*/c/d', 'a/[b]/c', 'a/?/c', '', '**', '**/x', 'a/**/b', './/'].map((pattern) =>
        walk(pattern),
      ),
    ).toEqual([
      ['src/deep', 3],
      ['a', 2],
      ['', 1],
      ['a', 4],
      ['a', 3],
      ['a', 3],
      ['', 0],
      ['', any],
      ['', any],
      ['a', any],
      ['', 0],
    ]);
    expect([walk('{a,b/c}', { braces: true }), walk('{a,b}/c', {}), walk('*.md', { rightAnchored: true })]).toEqual([
      ['', 2],
      ['{a,b}', 2],
      ['', any],
    ]);
  });
  it('sees a way up in either spelling', () => {
    for (const pattern of ['..', 'a/../b', 'a\\..\\b', '../*']) expect(climbs(pattern)).toBe(true);
    for (const pattern of ['a..b', '...', '*']) expect(climbs(pattern)).toBe(false);
  });
});
