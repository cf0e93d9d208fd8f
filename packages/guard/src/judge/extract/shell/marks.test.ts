import { describe, expect, it } from 'vitest';
import {
  ANY,
  changeDirectory,
  currentDirectory,
  field,
  GLOB,
  HAS_MARK,
  HOME,
  isAbsolute,
  isUnknown,
  joinPath,
  placePath,
  ROOT,
  TOP,
  withoutGlobMarks,
  withValue,
} from './marks.ts';

describe('a path in a directory', () => {
  it.each([
    ['', 'a', 'a'],
    ['d', 'a', 'd/a'],
    ['d/', 'a', 'd/a'],
    ['d', '.', 'd'],
    ['d', '', 'd'],
    ['d', '/a', '/a'],
    ['d', 'C:a', 'C:a'],
    ['d', '\\a', '\\a'],
    ['d', `${HOME}/a`, `${HOME}/a`],
    ['d', `${ROOT}/a`, `${ROOT}/a`],
    ['d', '../a', 'd/../a'],
  ])('%j %j is %j', (cwd, value, expected) => {
    expect(joinPath(cwd, value)).toBe(expected);
  });

  it.each([
    ['a', 'b', 'a/b'],
    ['a/b', '..', 'a'],
    ['a', '../..', '..'],
    ['..', '..', '../..'],
    ['', 'a/./b//c', 'a/b/c'],
    ['a', '/', '/'],
    ['a', '/..', '/'],
    ['a', '/x/../y/', '/y'],
    ['a', `${HOME}/x/..`, HOME],
    ['a', `${HOME}/..`, `${HOME}/..`],
    ['a', `${TOP}/x`, `${TOP}/x`],
  ])('after cd from %j to %j is %j', (cwd, value, expected) => {
    expect(changeDirectory(cwd, value)).toBe(expected);
  });

  it.each([
    [[''], ROOT],
    [['a/b'], `${ROOT}/a/b`],
    [['..'], `${ROOT}/..`],
    [['/a'], '/a'],
    [['C:/a'], 'C:/a'],
    [[HOME], HOME],
    [[`${ANY}/a`], `${ANY}/a`],
    [['a', 'b'], ANY],
    [[], ANY],
  ])('in %j the current one is %j', (cwds, expected) => {
    expect(currentDirectory(cwds)).toBe(expected);
  });

  it('is known as far as its text is', () => {
    expect(placePath('d', 'a')).toMatchObject({ path: 'd/a', isPattern: false, isOpen: false, isKnown: true });
    expect(placePath('d', `x${GLOB}*`)).toMatchObject({ path: 'd/x*', isPattern: true, isKnown: true });
    expect(placePath('d', `x/${ANY}y`)).toMatchObject({ path: 'd/x/*', isPattern: true, isOpen: true, isKnown: false });
    expect(placePath('', ANY)).toEqual({ path: undefined, isPattern: false, isOpen: true, isKnown: false });
    expect(placePath('', `${TOP}/x`)).toMatchObject({ path: undefined, isKnown: false });
    expect(placePath('', '~x').path).toBe('./~x');
  });
});

it('knows marks, and gives wildcards as they were written', () => {
  expect([HAS_MARK.test(ANY), HAS_MARK.test('a'), isUnknown(`a${ANY}`), isUnknown(`a${GLOB}*`)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([withoutGlobMarks(`a${GLOB}*`), isAbsolute('/a'), isAbsolute('a/b')]).toEqual(['a*', true, false]);
  expect([field('v'), withValue(field('v', 'w'), 'x')]).toEqual([
    { value: 'v', written: 'v' },
    { value: 'x', written: 'w' },
  ]);
});
