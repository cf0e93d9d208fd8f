import { compileGlob } from '@croft/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileNamePattern } from './name-pattern.ts';

const expression = (pattern: string) => compileGlob(pattern, { braces: true }).matches;

describe('a pattern of names', () => {
  it.each([
    ['*.ts', ['a.ts', '.ts'], ['a.tsx', 'src/a.ts', 'ts']],
    ['**/*.ts', ['a.ts', 'src/a.ts', 'src/deep/a.b.ts'], ['a.ts/b', 'a.TS']],
    ['**/*-9*.ts', ['x/part-9.ts', 'part-91.ts'], ['part-9/x.ts', '-9ts', 'part-8.ts']],
    ['**/x', ['x', 'a/x', 'a/b/x'], ['a/bx', 'x/a']],
    ['**/a*b', ['a/c/ab', 'c/a1b'], ['a/c/b', 'a/b']],
    ['**/a*a', ['aa', 'x/aba'], ['a', 'a/a']],
    ['**/*.{ts,md}', ['a.ts', 'x/b.md'], ['a.js', 'a.{ts,md}']],
    ['{a,**/b}*', ['a1', 'x/b1'], ['x/a1']],
    ['./name', ['name'], ['x/name', 'name2']],
    ['**/ab*ba*', ['abba', 'x/ab-ba'], ['aba']],
    ['**/*ab*ba*', ['abba', 'x/-abba'], ['aba', 'ab/ba']],
    ['src/**', ['src/a'], ['a']],
    ['**/[ab]?', ['x/a1', 'b1'], ['c1']],
    ['**', ['a', 'x/y'], []],
  ])('%j takes what it names and nothing else', (pattern, inside, outside) => {
    const matches = compileNamePattern(pattern);
    expect(inside.filter((path) => !matches(path))).toEqual([]);
    expect(outside.filter(matches)).toEqual([]);
  });

  it('says of every path what the workspace’s expression says', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      'ab',
      '.',
      '*',
      '**',
      '***',
      '/',
      '**/',
      '{a,b}',
      '{a,',
      '}',
      '?',
      '[a]',
      '\\',
      'é',
      '😀',
      '-',
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const name = fc.array(fc.constantFrom('a', 'b', '.', '-', '*', '\\', 'é', '😀', '\n'), {
      minLength: 1,
      maxLength: 5,
    });
    const path = fc
      .array(
        name.map((letters) => letters.join('')),
        { minLength: 1, maxLength: 3 },
      )
      .map((names) => names.join('/'));
    fc.assert(
      fc.property(pattern, fc.array(path, { maxLength: 20 }), (one, paths) => {
        expect(paths.filter(compileNamePattern(one))).toEqual(paths.filter(expression(one)));
      }),
      { numRuns: 3_000 },
    );
  });
});
