import { expect, it } from 'vitest';
import { fromHome, isHomePath } from './home-path.ts';

it.each([
  ['/home/ann/work/app', '~/work/app/src', '/home/ann/work/app/src'],
  ['/home/ann', '~', '/home/ann'],
  ['/Users/ann/app', '~/x', '/Users/ann/x'],
  ['/root/app', '~/app', '/root/app'],
  ['C:\\Users\\ann\\app', '~\\app\\a.ts', 'C:\\Users\\ann\\app\\a.ts'],
])('below %s, %s is %s', (root, path, expanded) => {
  expect(fromHome(root, path)).toBe(expanded);
});

it.each(['/srv/app', '/homes/ann', '/home', 'D:\\app'])('is unknown for a root such as %s', (root) => {
  expect(fromHome(root, '~/x')).toBeUndefined();
});

it.each([
  ['~', true],
  ['~/a', true],
  ['~bob/a', false],
  ['a/~', false],
])('%s begins at home: %s', (path, expected) => expect(isHomePath(path)).toBe(expected));
