import { expect, it } from 'vitest';
import { NO_DISK, openRemotePlace } from './place-remote.ts';

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

it('reads no disk', () => {
  expect(NO_DISK.hasTop()).toBe(true);
  expect(NO_DISK.linksIn()).toEqual([]);
  expect(NO_DISK.close()).toBeUndefined();
  const { locate, ...rest } = posix;
  expect(locate('.')).toEqual({ kind: 'inside', path: '.', isRoot: true, isProject: true });
  expect(rest).toEqual({
    root: '/home/u/proj',
    roots: ['/home/u/proj', '/srv/data'],
    policyFiles: [],
    home: undefined,
    isWindows: false,
    ...NO_DISK,
  });
  expect(windows).toMatchObject({ root: 'C:\\work\\proj', roots: ['C:\\work\\proj'], isWindows: true });
  for (const [root, isWindows] of [
    ['c:/work', true],
    ['\\\\server\\share', true],
    ['C:work', false],
    ['/c:/work', false],
    ['\\work', false],
  ] as const)
    expect(openRemotePlace(root, []).isWindows, root).toBe(isWindows);
});

it.each([
  ['a\0b', 'Path contains NUL byte'],
  ['a'.repeat(4_097), 'Path is too long'],
  ['src/NUL', "'NUL' is not a valid file name on every system"],
  ['dir.\\x', "'dir.' is not a valid file name on every system"],
])('says why it refuses %.10s', (path, reason) => {
  expect(posix.locate(path)).toEqual({ kind: 'invalid', reason });
});

it('reads a path as each system does', () => {
  expect(posix.locate('a'.repeat(4_096))).toMatchObject({ kind: 'inside' });
  expect(posix.locate('..a')).toMatchObject({ kind: 'inside', path: '..a' });
  expect(posix.locate('a\\b')).toMatchObject({ kind: 'inside', path: 'a\\b' });
  for (const path of ['C:x', 'C:', '/', '/etc/nul', '\\home\\u\\proj\\..\\x'])
    expect(kindOf(path), path).toBe('outside');
  for (const path of ['\\work\\proj\\a', '/work/proj/a', '..', '..\\..'])
    expect(kindOf(path, windows), path).toBe('outside');
  expect(windows.locate('..a')).toMatchObject({ kind: 'inside', path: '..a', isRoot: false });
  expect(windows.locate('C:\\work\\proj')).toEqual({ kind: 'inside', path: '.', isRoot: true, isProject: true });
  const shared = openRemotePlace('\\\\server\\share\\proj', []);
  expect(shared.locate('\\\\server\\share\\proj\\a')).toMatchObject({ kind: 'inside', path: 'a' });
  expect(shared.locate('\\\\server\\other\\proj\\a').kind).toBe('outside');
});
