import { expect, it } from 'vitest';
import { openRemotePlace } from './place-remote.ts';

const posix = openRemotePlace('/home/u/proj', ['/srv/data']);
const windows = openRemotePlace('C:\\work\\proj', []);
const kindOf = (path: string, place = posix) => place.locate(path).kind;

it('finds a path below the project, and says which', () => {
  expect(posix.locate('src/../a.ts')).toEqual({ kind: 'inside', path: 'a.ts', isRoot: false, isProject: true });
  expect(posix.locate('/home/u/proj')).toMatchObject({ kind: 'inside', path: '.', isRoot: true });
  expect(posix.locate('/srv/data/x')).toMatchObject({ kind: 'inside', path: 'x', isProject: false });
  expect(windows.locate('src\\a.ts')).toMatchObject({ kind: 'inside', path: 'src/a.ts' });
  expect(windows.locate('c:/WORK/proj/a.ts')).toMatchObject({ kind: 'inside', path: 'a.ts' });
});

it.each(['/etc/passwd', '../x', 'src/../../x', '/home/u/project', '/home/u/proj/../x', '/srv', '..'])(
  'finds %s outside of a POSIX project',
  (path) => expect(kindOf(path)).toBe('outside'),
);

it.each(['..\\x', 'src\\..\\..\\x', 'C:\\Windows', 'D:\\x', '\\\\server\\share\\x'])(
  'finds %s outside of a POSIX project, because the host may be Windows',
  (path) => expect(kindOf(path)).toBe('outside'),
);

it.each([
  'C:\\Windows\\x',
  'D:\\work\\proj\\x',
  '..\\x',
  '../x',
  '\\Windows',
  '/Windows',
  'C:x',
  'D:x',
  '\\\\s\\share',
])('finds %s outside of a Windows project', (path) => expect(kindOf(path, windows)).toBe('outside'));

it('refuses names that mean something else on one of the systems', () => {
  for (const path of ['src/NUL', 'con.txt', 'a/lpt1', 'a. ', 'dir./x', 'a\0b', `a/${'b'.repeat(4_100)}`])
    expect(kindOf(path), path).toBe('invalid');
  for (const path of ['console.ts', '.gitignore', 'a..b', 'com10']) expect(kindOf(path), path).toBe('inside');
});
