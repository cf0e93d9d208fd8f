import { expect, it } from 'vitest';
import { isWholePath, pathIn } from './whole-path.ts';

it.each([
  ['/home', true],
  ['C:\\Users', true],
  ['c:/Users', true],
  ['home', false],
  ['./a', false],
  ['C:', false],
  ['~/a', false],
  [' /a', false],
])('says of %s whether it is absolute: %s', (path, isWhole) => {
  expect(isWholePath(path)).toBe(isWhole);
});

it.each([
  ['/home', 'a', '/home/a'],
  ['/', 'a', '/a'],
  ['C:\\Users', 'a', 'C:\\Users\\a'],
  ['C:\\', 'a', 'C:\\a'],
  ['C:/Users', 'a', 'C:/Users/a'],
  ['/odd\\name', 'a', '/odd\\name/a'],
])('joins %s and %s', (parent, name, path) => {
  expect(pathIn(parent, name)).toBe(path);
});
